% An independent walk through a game that `tafl trace` wrote, by the rules that
% `tafl dump GAME prolog` wrote. Every state of the trace is compared, as sets of
% lines, with what Prolog derives: true facts, terminal, goals and, where the
% game goes on, the legal moves of every role and the successor of the moves.
%
%   swipl -q replay.pl -- RULES.pl TRACE SECONDS
%
% Prints "agree N" (states) or "differ STATE ..." with the lines on one side
% only; "timeout N" after SECONDS with N states agreed on. Exit code 0, 1, 2.

:- initialization(main, main).

main([Rules, TraceFile, Seconds]) :-
    consult(Rules),
    read_file_to_string(TraceFile, Text, []),
    split_string(Text, "\n", "", Lines),
    atom_number(Seconds, Limit),
    nb_setval(agreed, 0),
    catch(call_with_time_limit(Limit, walk_game(Lines)),
          time_limit_exceeded,
          ( nb_getval(agreed, N), format("timeout ~w~n", [N]), halt(2) )),
    nb_getval(agreed, N),
    format("agree ~w~n", [N]).

walk_game([RolesLine|Lines]) :-
    roles(Roles),
    maplist(kif, Roles, Names),
    atomic_list_concat([roles|Names], ' ', Expected),
    ( atom_string(Expected, RolesLine) -> true
    ; differ(roles, [Expected], [RolesLine]) ),
    initial_state(Facts),
    walk(Lines, Roles, Facts).

% Lines begin with a state, or with the end of the game.
walk([Line|_], _, _) :- string_concat("end", _, Line), !.
walk([Line|Lines], Roles, Facts) :-
    split_string(Line, " ", "", ["state", Number|_]),
    block(Lines, Block, Does, Rest),
    set_state(Facts),
    ( is_terminal -> Terminal = ["terminal"] ; Terminal = [] ),
    findall(L, ( member(F, Facts), line(true, F, L) ), Trues),
    findall(L, ( member(R, Roles), goals(R, Vs), member(V, Vs),
                 line(goal, R, V, L) ), Goals),
    findall(R-M-L, ( Terminal == [], member(R, Roles), legal_moves(R, Ms),
                     member(M, Ms), line(legal, R, M, L) ), Legals),
    findall(L, member(_-_-L, Legals), LegalLines),
    append([Trues, Terminal, Goals, LegalLines], Own),
    sort(Own, OwnSet), sort(Block, BlockSet),
    ( OwnSet == BlockSet -> true ; differ(Number, OwnSet, BlockSet) ),
    nb_getval(agreed, N0), N is N0 + 1, nb_setval(agreed, N),
    ( Does == [] -> walk(Rest, Roles, [])
    ; findall(R-M, ( member(R, Roles), chosen(R, Does, Legals, M) ), Moves),
      next_state(Moves, Next),
      walk(Rest, Roles, Next) ).

% The lines of a state, its does-lines apart.
block([Line|Lines], [], [], [Line|Lines]) :-
    ( string_concat("state ", _, Line) ; string_concat("end", _, Line) ), !.
block([Line|Lines], Block, [Line|Does], Rest) :-
    string_concat("does ", _, Line), !, block(Lines, Block, Does, Rest).
block([Line|Lines], [Line|Block], Does, Rest) :-
    block(Lines, Block, Does, Rest).

% The legal move of the role whose text is what the trace says was done.
chosen(Role, Does, Legals, Move) :-
    member(Role-Move-Legal, Legals),
    string_concat("legal ", Tail, Legal),
    string_concat("does ", Tail, Line),
    memberchk(Line, Does), !.

line(Word, Term, Line) :-
    kif(Term, T), format(string(Line), "~w ~w", [Word, T]).
line(Word, Role, Term, Line) :-
    kif(Role, R), kif(Term, T), format(string(Line), "~w ~w ~w", [Word, R, T]).

kif(Term, Text) :- atomic(Term), !, Text = Term.
kif(Term, Text) :-
    Term =.. [Functor|Arguments],
    maplist(kif, Arguments, Texts),
    atomic_list_concat([Functor|Texts], ' ', Inner),
    atomic_list_concat(['(', Inner, ')'], Text).

differ(State, Own, Trace) :-
    ord_subtract(Own, Trace, OnlyOwn), ord_subtract(Trace, Own, OnlyTrace),
    format("differ state ~w~n  only prolog: ~w~n  only tafl: ~w~n",
           [State, OnlyOwn, OnlyTrace]),
    halt(1).
