#pragma once
// What two versions of the library are asked alike: a plain C interface, because each version is a shared
// library of its own, with the library inside, and both are loaded into one process.
extern "C" {

// The name of a task, or nullptr past the last one.
using TaskName = const char* (*)(int task);
// Prepares the task and says how many items it has; 0 if what it needs is missing.
using TaskStart = int (*)(int task);
// Runs one item: microseconds of processor time of the whole process, and a number of its answer to compare.
using TaskRun = double (*)(int task, int item, double* answer);
// Gives back what the task prepared.
using TaskEnd = void (*)(int task);
}
