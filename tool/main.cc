#include "cli/command.h"

int main(int count, char** arguments) { return portpatch::run_command_line(count, arguments); }
