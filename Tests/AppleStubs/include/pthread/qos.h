#pragma once
typedef enum { QOS_CLASS_USER_INITIATED = 0x19 } qos_class_t;
int pthread_set_qos_class_self_np(qos_class_t qos, int priority);
