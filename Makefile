# make          build/tafl
# make serve    install what is missing, build, play a game in the terminal
# make test     install what is missing, build, pass every test
# make verify   the long tests: all games, statistics, soak
# make lint     the map, the layers, the form
# DEBUG=1 for assertions and no optimisation, SAN=1 for sanitizers.

CC ?= gcc
ifeq ($(origin CC),default)
CC = gcc
endif
BUILD ?= build
PREFIX ?= /usr/local

WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wvla \
  -Wstrict-prototypes -Wmissing-prototypes -Werror
CPPFLAGS = -Isrc -D_GNU_SOURCE -MMD -MP
CFLAGS = -std=c17 -O2 -g $(WARNINGS)
LDLIBS = -ljansson -lm
ifdef DEBUG
CFLAGS += -O0
BUILD = build/debug
else
CPPFLAGS += -DNDEBUG
endif
ifdef SAN
CFLAGS += -O1 -fsanitize=address,undefined -fno-sanitize-recover=all \
  -fno-omit-frame-pointer
CPPFLAGS += -UNDEBUG
BUILD = build/san
endif

SOURCES = $(wildcard src/*.c src/*/*.c)
OBJECTS = $(SOURCES:%.c=$(BUILD)/%.o)

all: $(BUILD)/tafl

$(BUILD)/tafl: $(OBJECTS)
	$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/%.o: %.c | packages
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

-include $(OBJECTS:.o=.d)

packages:
	@./setup

clean:
	rm -rf build

.PHONY: all packages clean
