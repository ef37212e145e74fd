#pragma once
typedef unsigned mach_port_t;
extern mach_port_t mach_task_self_;
#define mach_task_self() mach_task_self_
