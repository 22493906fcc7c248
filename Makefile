# make          build/tafl, and the library: build/libtafl.a, build/libtafl.so
# make serve    build, and serve the web page, http://localhost:9147/, and game masters
#               that call; PORT=9148 for another port, ARGS='--name X' for other options
# make test     build, pass every test
# make verify   the same and the long tests: all games, statistics, soak
# make test-gpu the tests that need a graphics card; LONG=1 for an hour of them
# make tools    helpers that are no tests, in build/tools
# make signature  how agents behave now is how they should; see HACKING.md
# make lint     the map, the layers, the form
# Whatever is missing is installed first: what building and running need, for tests
# also what they need (see setup). As many commands run at once as there are processors,
# each with one short line; V=1 shows them whole, -j1 runs them one by one. DEBUG=1 is
# for assertions and no optimisation, SAN=1 for sanitizers, TSAN=1 for the one that
# watches threads, STRICT=1 makes warnings errors.

CC ?= gcc
ifeq ($(origin CC),default)
CC = gcc
endif
BUILD ?= build
PREFIX ?= /usr/local
# Several goals, such as clean and test, are reached one after the other.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)
ifneq ($(and $(word 2,$(MAKECMDGOALS)),$(filter \
  clean serve pictures test test-gpu verify flavours fuzzers install,$(MAKECMDGOALS))),)
.NOTPARALLEL:
endif
endif

Q = $(if $(V),,@)
say = $(if $(V),,@echo "  $(1) $@")

# One set of objects makes the program and the library; hidden symbols cost a
# program nothing.
VERSION := $(shell sed -n 's/^.define TAFL_VERSION "\(.*\)"/\1/p' src/library/tafl.h)
SONAME = libtafl.so.$(firstword $(subst ., ,$(VERSION)))

WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wvla \
  -Wstrict-prototypes -Wmissing-prototypes $(if $(STRICT),-Werror)
CPPFLAGS = -Isrc -Itest -D_GNU_SOURCE -MMD -MP
# Lines and functions are enough for what tests report: a test program has 3 MB
# instead of 10, and its link takes 1.1 s instead of 2.5.
# Nobody asks errno what became of a root or of lrint, which are single instructions then.
CFLAGS = -std=c17 -O2 -g1 -fPIC -fvisibility=hidden -fno-math-errno $(WARNINGS)
# clang may fuse multiplications with additions, which gcc does not with -std=c17:
# results must not depend on the processor (tafl bench --signature).
ifneq ($(findstring clang,$(CC)),)
CFLAGS += -ffp-contract=off
endif
LDLIBS = -ledit -lsqlite3 -lmicrohttpd -lcurl -ljansson -lm -pthread \
  -Wl,--as-needed -lxslt -lxml2 -ldl -Wl,--no-as-needed
XML := $(patsubst -I%,-isystem %,$(shell xml2-config --cflags 2>/dev/null || \
  echo -I/usr/include/libxml2))
ifdef DEBUG
CFLAGS += -O0 -g
BUILD = build/debug
else
CPPFLAGS += -DNDEBUG
endif
PLAIN_CFLAGS := $(CFLAGS)
# LeakSanitizer (gcc 12) crashes at the end of a program that has opened a library whose
# thread-local variables happen to lie 16 bytes into a page; with this model they never do.
ifdef SAN
CFLAGS += -O1 -fsanitize=address,undefined -fno-sanitize-recover=all \
  -fno-omit-frame-pointer -ftls-model=initial-exec
CPPFLAGS += -UNDEBUG
BUILD = build/san
endif
ifdef TSAN
CFLAGS += -O1 -fsanitize=thread -Wno-maybe-uninitialized
BUILD = build/tsan
endif

# What is compiled with MPI is a module that the program loads; where there is no mpicc it
# is left out. It has no sanitizers, whichever program loads it.
MPI_SOURCE = src/cluster/mpi.c
MPICC := $(shell command -v mpicc 2>/dev/null)
MODULE = $(if $(MPICC),$(BUILD)/tafl-mpi.so)

SOURCES = $(filter-out $(MPI_SOURCE),$(wildcard src/*.c src/*/*.c))
OBJECTS = $(SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/page/files.o
LIBRARY = $(filter-out $(BUILD)/src/main.o,$(OBJECTS))
TESTS = $(patsubst %.c,$(BUILD)/%,$(wildcard test/*/*_test.c))
# What test programs share, linked from an archive; clock_jump is preloaded.
SUPPORT = $(filter-out %_test.c test/fuzz/% %/clock_jump.c,$(wildcard test/*/*.c))
SUPPORT_OBJECTS = $(SUPPORT:%.c=$(BUILD)/%.o)
# The card made of software, for tests of src/gpu: the driver's library under its name.
CARD = $(BUILD)/card/libcuda.so.1
CARD_OBJECTS = $(filter-out %_test.o,$(patsubst %.c,$(BUILD)/%.o,$(wildcard test/gpu/machine*.c)))
TWINS = $(patsubst %.c,$(BUILD)/%,$(wildcard test/games/twin/*.c))
THREADED = test/search/search_test test/search/share_test test/search/ally_test \
  test/search/card_search_test test/search/card_failure_test \
  test/gpu/pool_test test/gpu/expansion_failure_test \
  test/contest/contest_test test/lab/runner_test test/learn/sparring_test \
  test/minimax/nest_test test/minimax/breeder_test test/minimax/breeder_failure_test \
  test/minimax/busy_test \
  test/player/flow_test test/web/master_test
# Test programs that run plain beside their sanitized twins in `make test`: what has threads,
# clocks or limits of memory, whose code depends on the processor, or of which the sanitized
# one does less. The others would show nothing more; `make verify` runs them all plain too.
# Of searches with a card, test/search/card.test shows the plain ones.
PLAIN = $(filter-out test/search/card_% test/minimax/breeder_%,$(THREADED)) \
  $(patsubst %.c,%,$(wildcard test/wide/*_test.c test/program/*_test.c)) \
  test/agent/watch_test test/agree/agree_test test/agree/generate_test test/base/clock_test \
  test/base/memory_test test/base/thread_test test/base/together_test test/base/trial_test \
  test/cluster/crew_test \
  test/player/position_test test/positions/positions_test test/rules/datalog_test \
  test/rules/limits_test test/server/server_test test/solve/portfolio_test
TOOLS = $(patsubst %.c,$(BUILD)/%,$(wildcard tools/*.c))
FUZZ_SUPPORT = test/fuzz/promise.c test/fuzz/mutate.c
FUZZERS = $(patsubst test/fuzz/%.c,build/fuzz/%,\
  $(filter-out $(FUZZ_SUPPORT),$(wildcard test/fuzz/*.c)))

# The library is what needs nothing but the C library.
LIBTAFL_FOLDERS = base gdl ground net reduce analyse program wide gpu engine rules \
  scalar game value search minimax learn solve agent library
LIBTAFL = $(filter $(LIBTAFL_FOLDERS:%=$(BUILD)/src/%/%) \
  $(BUILD)/src/statistics.o,$(OBJECTS))

all: $(BUILD)/tafl $(MODULE) $(if $(SAN)$(TSAN),,library)

$(BUILD)/tafl: $(filter-out $(BUILD)/src/library/%,$(OBJECTS))
	$(call say,link)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/tafl-mpi.so: $(MPI_SOURCE) Makefile | packages
	@mkdir -p $(@D)
	$(call say,mpicc)
	$(Q)OMPI_CC='$(CC)' MPICH_CC='$(CC)' $(MPICC) $(CPPFLAGS) -MT $@ -MF $(@:.so=.d) \
	  $(PLAIN_CFLAGS) -shared -o $@ $<

library: $(BUILD)/libtafl.a $(BUILD)/libtafl.so

$(BUILD)/$(SONAME): $(LIBTAFL)
	$(call say,link)
	$(Q)$(CC) $(CFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,-z,defs -o $@ $^ \
	  -lm -pthread -Wl,--as-needed -ldl

$(BUILD)/libtafl.so: $(BUILD)/$(SONAME)
	$(Q)ln -sf $(SONAME) $@

# One object in which only what tafl.h declares is visible.
$(BUILD)/libtafl.a: $(LIBTAFL)
	$(call say,link)
	$(Q)ld -r -o $(BUILD)/libtafl.o $^
	$(Q)objcopy --localize-hidden $(BUILD)/libtafl.o
	$(Q)rm -f $@
	$(Q)ar rcs $@ $(BUILD)/libtafl.o

# The revision changes with every commit: one small file is compiled anew then.
$(BUILD)/revision/revision.h: always
	@mkdir -p $(@D)
	@revision=$$([ -e .git ] && git describe --always --dirty --abbrev=7 2>/dev/null); \
	  echo "#define TAFL_REVISION \"$$revision\"" >$@.new; \
	  if cmp -s $@.new $@; then rm -f $@.new; else mv $@.new $@; fi
$(BUILD)/src/command/version.o: $(BUILD)/revision/revision.h
$(BUILD)/src/command/version.o: CPPFLAGS += -I$(BUILD)/revision

# The files of the web page become part of the program, as they are and compressed. The
# list is written anew when a file appears or goes.
PAGE := $(shell find page -type f ! -name '.*' 2>/dev/null | LC_ALL=C sort)

$(BUILD)/%.gz: %
	@mkdir -p $(@D)
	@gzip -9nc $< >$@

$(BUILD)/page/files.c: tools/embed Makefile always
	@mkdir -p $(@D)
	@tools/embed $(BUILD) $(PAGE) >$@.new; \
	  if cmp -s $@.new $@; then rm -f $@.new; else mv $@.new $@; fi

$(BUILD)/page/files.o: $(BUILD)/page/files.c $(PAGE) $(PAGE:%=$(BUILD)/%.gz) | packages
	$(call say,cc)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

%/src/web/stylesheet_render.o %/src/web/stylesheet_render.checked: CPPFLAGS += $(XML)

$(BUILD)/%.o: %.c Makefile | packages
	@mkdir -p $(@D)
	$(call say,cc)
	$(Q)$(CC) $(CPPFLAGS) $(if $(filter $(INNER) $(CARD_INNER),$@),$(PLAIN_CFLAGS),$(CFLAGS)) \
	  -c -o $@ $<

$(BUILD)/test/games/twin/%: test/games/twin/%.c | packages
	@mkdir -p $(@D)
	$(call say,cc)
	$(Q)$(CC) $(CFLAGS) -o $@ $<

$(BUILD)/libsupport.a: $(SUPPORT_OBJECTS)
	$(call say,ar)
	$(Q)rm -f $@ && ar rcs $@ $^

# A list of the objects, so that a test program has only those it uses: linking all of
# them into each took 0.85 s instead of 0.15.
$(BUILD)/everything.a: $(LIBRARY)
	$(call say,ar)
	$(Q)rm -f $@ && ar rcsT $@ $^

# The fastest linker at hand for all these programs: six of them took 0.8 s of lld, 0.9 s of
# gold and 2.0 s of the usual one.
LINKER := $(firstword $(foreach name,lld gold,$(if $(shell command -v ld.$(name) 2>/dev/null),\
  -fuse-ld=$(name))))

$(TESTS) $(TOOLS): $(BUILD)/%: $(BUILD)/%.o $(BUILD)/libsupport.a $(BUILD)/everything.a
	$(call say,link)
	$(Q)$(CC) $(CFLAGS) $(LINKER) -o $@ $^ -lcmocka $(LDLIBS)

$(TESTS:=.o) $(SUPPORT_OBJECTS) $(TOOLS:=.o): | test-packages

$(CARD): $(CARD_OBJECTS) $(BUILD)/everything.a
	@mkdir -p $(@D)
	$(call say,link)
	$(Q)$(CC) $(CFLAGS) -shared -Wl,-soname,$(@F) -o $@ $^ -lm -pthread

# Its inner loops are over the lanes of a warp.
%/test/gpu/machine_run.o %/test/gpu/machine_access.o %/test/gpu/machine_warp.o: \
  PLAIN_CFLAGS += -O3

# Fuzz targets share objects; inner loops are compiled without sanitizers, which
# take minutes over them and find nothing that the plain variants do not show.
FUZZ_FLAGS = -Isrc -Itest -D_GNU_SOURCE -std=c17 -O1 -g
FUZZ_CHECKS = address,undefined -fno-sanitize-recover=all
# Of the folders in FUZZ_WITHOUT the targets use these files alone: what is compiled is what
# they link, or a link fails.
FUZZ_PARTS = $(wildcard src/about/catalogue.c src/about/header.c src/cluster/channel.c \
  src/cluster/deal.c src/cluster/sums.c src/cluster/talk*.c src/cluster/wire.c \
  src/contest/errand*.c src/contest/estimate.c src/contest/fixture.c src/contest/tally.c \
  src/io/guard.c src/io/http_request.c src/io/json.c src/lab/comparison.c src/lab/digest.c \
  src/lab/figure.c src/lab/series.c src/lab/table*.c src/web/begin.c src/web/stylesheet.c \
  src/web/token.c)
FUZZ_WITHOUT = $(patsubst %,src/%/%,about cluster command contest draw io lab library player \
  probe server web)
FUZZ_OBJECTS = $(patsubst %.c,build/fuzz/%.o,\
  $(filter-out src/main.c $(FUZZ_WITHOUT),$(SOURCES)) $(FUZZ_PARTS) $(FUZZ_SUPPORT) \
  $(wildcard test/support/agree*.c) test/support/compare.c test/support/net_evaluate.c \
  test/support/netgame.c $(filter-out %_test.c %_card.c,$(wildcard test/gpu/machine*.c)))
INNER = %/kernels.o %/sliced.o
# These, too, but not for fuzz targets.
CARD_INNER = %/machine_run.o %/machine_access.o %/machine_warp.o
# What targets link but never call, since tables of agents name it: compiled without checks and
# optimisation, in 9 s instead of 45. A target that does call it breaks a promise.
FUZZ_NAMED = $(filter-out %/search/settings.o %/search/ally.o,\
  $(filter $(patsubst %,build/fuzz/src/%/%,minimax search solve),$(FUZZ_OBJECTS)))
# Over this one, optimised and with checks, clang takes 17 s instead of 1.4; targets are as fast.
FUZZ_SLOW = build/fuzz/test/gpu/machine_run.o

build/fuzz/%.o: %.c | test-packages
	@mkdir -p $(@D)
	$(call say,cc)
	$(Q)clang $(FUZZ_FLAGS) -MMD -MP $(if $(filter $(FUZZ_SLOW),$@),-O0) \
	  $(if $(filter $(FUZZ_NAMED),$@),-O0 -g0 -finstrument-functions,$(if \
	  $(filter $(INNER),$@),,-fsanitize=fuzzer-no-link,$(FUZZ_CHECKS))) -c -o $@ $<

build/fuzz/everything.a: $(FUZZ_OBJECTS)
	$(call say,ar)
	$(Q)rm -f $@ && ar rcsT $@ $^

build/fuzz/%: test/fuzz/%.c build/fuzz/everything.a | test-packages
	@mkdir -p $(@D)
	$(call say,link)
	$(Q)clang $(FUZZ_FLAGS) $(filter %lld,$(LINKER)) -fsanitize=fuzzer,$(FUZZ_CHECKS) -o $@ $^ \
	  $(LDLIBS)

# What clang warns of.
build/clang/%.checked: %.c | test-packages
	@mkdir -p $(@D)
	$(call say,clang)
	$(Q)clang $(CPPFLAGS) $(CFLAGS) -fsyntax-only -MT $@ -MF $(@:.checked=.d) $<
	$(Q)touch $@

build/clang/$(MPI_SOURCE:.c=.checked): $(MPI_SOURCE) | test-packages
	@mkdir -p $(@D)
	$(call say,clang)
	$(Q)OMPI_CC=clang MPICH_CC=clang $(MPICC) $(CPPFLAGS) $(CFLAGS) -c -fsyntax-only -MT $@ \
	  -MF $(@:.checked=.d) $<
	$(Q)touch $@

warnings: $(SOURCES:%.c=build/clang/%.checked) \
  $(if $(MPICC),build/clang/$(MPI_SOURCE:.c=.checked))

-include $(BUILD)/tafl-mpi.d build/clang/$(MPI_SOURCE:.c=.d) $(SOURCES:%.c=build/clang/%.d) $(OBJECTS:.o=.d) $(SUPPORT_OBJECTS:.o=.d) $(TESTS:=.d) $(TOOLS:=.d) \
  $(FUZZ_OBJECTS:.o=.d)

# A make that was started by another one leaves this to it. Two at once would be in
# each other's way.
test-packages: packages

packages test-packages:
	@[ $(MAKELEVEL) != 0 ] || CC='$(CC)' ./setup $(if $(filter test-%,$@),test,build)

# ---- what people ask for ----

serve: all
	$(BUILD)/tafl serve $(if $(PORT),--port $(PORT)) $(ARGS)

test: flavours
	@test/run

# What needs a graphics card; says so where there is none.
test-gpu: test-packages
	@$(MAKE) --no-print-directory STRICT=1 all \
	  $(patsubst %.c,$(BUILD)/%,$(wildcard test/gpu/*_test.c))
	@test/gpu/card.gpu

# docs/img, from a run in a browser.
pictures: test-packages all
	@test/web/node test/web/pictures.mjs

# The tests, then the long ones, in about 65 minutes on two processors.
verify: test-packages
	@start=$$(date +%s) && $(MAKE) --no-print-directory flavours && \
	  $(MAKE) --no-print-directory STRICT=1 tests && \
	  $(MAKE) --no-print-directory STRICT=1 TSAN=1 threaded && \
	  BUILD_SECONDS=$$(($$(date +%s) - start)) test/run --verify

# Everything that tests run: plain, sanitized, fuzz targets; and clang's opinion.
flavours: test-packages
	@$(MAKE) --no-print-directory STRICT=1 all plain tools
	@$(MAKE) --no-print-directory STRICT=1 SAN=1 all tests
	@$(MAKE) --no-print-directory STRICT=1 warnings
	@$(MAKE) --no-print-directory fuzzers

# What test/search/threads.test runs, with TSAN=1.
threaded: $(THREADED:%=$(BUILD)/%) $(CARD)

list-threaded:
	@echo $(THREADED)

tests: $(TESTS) $(TWINS) $(MODULE) $(CARD)

plain: $(PLAIN:%=$(BUILD)/%) $(TWINS) $(MODULE) $(CARD)

list-plain:
	@echo $(PLAIN)

tools: $(TOOLS) $(CARD)

fuzzers: $(FUZZERS)

# How all agents behave, for test/command/signature.test.
signature: $(BUILD)/tafl
	@$(BUILD)/tafl bench --signature --verbose --games-path games \
	  >$(BUILD)/signature.txt
	@mv $(BUILD)/signature.txt test/command/signature.txt
	@tail -n 1 test/command/signature.txt

lint: test-packages
	@test/lint

format: test-packages
	clang-format -i $(SOURCES) $(MPI_SOURCE) $(wildcard src/*.h src/*/*.h test/*/*.c test/*/*.h test/*/*/*.c tools/*.c)

install: all
	install -D -m 755 $(BUILD)/tafl $(DESTDIR)$(PREFIX)/bin/tafl
	$(if $(MODULE),install -D -m 644 $(MODULE) $(DESTDIR)$(PREFIX)/lib/tafl/tafl-mpi.so)
	install -d $(DESTDIR)$(PREFIX)/share/man/man1 \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions \
	  $(DESTDIR)$(PREFIX)/share/zsh/site-functions \
	  $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d \
	  $(DESTDIR)$(PREFIX)/share/tafl/games $(DESTDIR)$(PREFIX)/share/tafl/tables/figures
	$(BUILD)/tafl --manual >$(DESTDIR)$(PREFIX)/share/man/man1/tafl.1
	$(BUILD)/tafl --completion bash \
	  >$(DESTDIR)$(PREFIX)/share/bash-completion/completions/tafl
	$(BUILD)/tafl --completion zsh \
	  >$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_tafl
	$(BUILD)/tafl --completion fish \
	  >$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/tafl.fish
	install -m 644 games/*.kif games/gallery.txt $(DESTDIR)$(PREFIX)/share/tafl/games
	install -m 644 tables/*.json $(DESTDIR)$(PREFIX)/share/tafl/tables
	install -m 644 tables/figures/*.json $(DESTDIR)$(PREFIX)/share/tafl/tables/figures
	install -d $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/lib/pkgconfig \
	  $(DESTDIR)$(PREFIX)/lib/python3/dist-packages \
	  $(DESTDIR)$(PREFIX)/share/doc/tafl/examples
	install -m 644 src/library/tafl.h $(DESTDIR)$(PREFIX)/include
	install -m 644 $(BUILD)/libtafl.a $(DESTDIR)$(PREFIX)/lib
	install -m 644 $(BUILD)/$(SONAME) \
	  $(DESTDIR)$(PREFIX)/lib/libtafl.so.$(VERSION)
	ln -sf libtafl.so.$(VERSION) $(DESTDIR)$(PREFIX)/lib/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(PREFIX)/lib/libtafl.so
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' \
	  src/library/tafl.pc.in >$(DESTDIR)$(PREFIX)/lib/pkgconfig/tafl.pc
	install -m 644 python/tafl.py \
	  $(DESTDIR)$(PREFIX)/lib/python3/dist-packages/tafl.py
	install -m 644 examples/play.c $(DESTDIR)$(PREFIX)/share/doc/tafl/examples

clean:
	rm -rf build

.PHONY: all always library packages test-packages serve pictures test test-gpu verify flavours warnings threaded list-threaded tests plain list-plain tools fuzzers signature lint \
  format install clean
.SECONDARY:
