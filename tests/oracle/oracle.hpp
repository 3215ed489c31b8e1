#pragma once
// Slow, independent answers that the library's are compared with. Nothing here may use code of the
// library beyond plain data types.
