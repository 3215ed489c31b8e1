#include "oracle/oracle.hpp"
