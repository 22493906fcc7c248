/* Global memory: blocks by address. Addresses are never used again, and there
   is a gap behind each block, so that whatever goes wrong is seen. */
#include "machine.h"

#include "machine_run.h"

enum { ALIGNMENT = 256, FRESH = 0xcd };

Machine *machine_new(uint64_t start) {
  Machine *machine = memory_new(sizeof *machine);
  machine->next = start;
  return machine;
}

void machine_delete(Machine *machine) {
  for (uint32_t i = 0; i < machine->blocks.count; i++)
    memory_delete(machine->blocks.data[i].bytes);
  vector_free(&machine->blocks);
  memory_delete(machine);
}

uint64_t machine_allocate(Machine *machine, size_t size) {
  Block block = {.address = machine->next, .size = size};
  block.bytes = memory_new_aligned(size + 1);
  memset(block.bytes, FRESH, size);
  vector_push(&machine->blocks, block);
  machine->next += (size + 2 * ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  machine->used += size;
  return block.address;
}

static uint32_t find_block(const Machine *machine, uint64_t address) {
  uint32_t low = 0, high = machine->blocks.count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (machine->blocks.data[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low; /* number + 1 */
}

bool machine_release(Machine *machine, uint64_t address) {
  uint32_t found = find_block(machine, address);
  if (!found || machine->blocks.data[found - 1].address != address)
    return false;
  machine->used -= machine->blocks.data[found - 1].size;
  memory_delete(machine->blocks.data[found - 1].bytes);
  memmove(machine->blocks.data + found - 1, machine->blocks.data + found,
          (machine->blocks.count - found) * sizeof *machine->blocks.data);
  machine->blocks.count--;
  return true;
}

void *machine_memory(const Machine *machine, uint64_t address, size_t size) {
  uint32_t found = find_block(machine, address);
  if (!found) return NULL;
  const Block *block = &machine->blocks.data[found - 1];
  uint64_t place = address - block->address;
  if (place > block->size || size > block->size - place) return NULL;
  return block->bytes + place;
}

size_t machine_used(const Machine *machine) {
  return machine->used;
}

uint64_t machine_instructions(const Machine *machine) {
  return machine->instructions;
}

Module *machine_load(Machine *machine, const char *text, Text *error) {
  uint64_t address = machine->next;
  Module *module = module_new(text, address, error);
  if (module && module->data.count) {
    machine_allocate(machine, module->data.count);
    memcpy(machine_memory(machine, address, module->data.count),
           module->data.data, module->data.count);
  }
  return module;
}

void machine_unload(Machine *machine, Module *module) {
  if (module->data.count) machine_release(machine, module->data_address);
  module_delete(module);
}
