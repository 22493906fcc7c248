% The judge of a game master: follows a match from state to state by the rules
% that `tafl dump GAME prolog` wrote.
%
%   swipl -q judge.pl -- RULES.pl
%
% Writes "roles R...", then for each state its lines "terminal", "goal R V",
% "legal R MOVE" and "end"; reads one line for each joint move, the indices of the
% moves in the roles' lists of legal moves (from 0), until the input ends.

:- initialization(main, main).

main([Rules]) :-
    consult(Rules),
    roles(Roles),
    maplist(kif, Roles, Names),
    atomic_list_concat([roles|Names], ' ', Line),
    writeln(Line),
    initial_state(Facts),
    states(Roles, Facts).

states(Roles, Facts) :-
    set_state(Facts),
    ( is_terminal -> writeln(terminal) ; true ),
    forall(( member(R, Roles), goals(R, Vs), member(V, Vs) ), say(goal, R, V)),
    maplist(legal_moves, Roles, Lists),
    forall(( nth0(I, Roles, R), nth0(I, Lists, Ms), member(M, Ms) ),
           say(legal, R, M)),
    writeln(end), flush_output,
    read_line_to_string(user_input, Line),
    ( Line == end_of_file -> true
    ; split_string(Line, " ", "", Places),
      maplist(choose, Roles, Lists, Places, Moves),
      next_state(Moves, Next),
      states(Roles, Next) ).

choose(Role, Moves, Place, Role-Move) :-
    number_string(N, Place), nth0(N, Moves, Move).

say(Word, Role, Term) :-
    kif(Role, R), kif(Term, T), format("~w ~w ~w~n", [Word, R, T]).

kif(Term, Text) :- atomic(Term), !, Text = Term.
kif(Term, Text) :-
    Term =.. [Functor|Arguments],
    maplist(kif, Arguments, Texts),
    atomic_list_concat([Functor|Texts], ' ', Inner),
    atomic_list_concat(['(', Inner, ')'], Text).
