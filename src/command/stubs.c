#include "command/command.h"
int command_info(const Options *o){(void)o;return 0;}
int command_play(const Options *o){(void)o;return 0;}
