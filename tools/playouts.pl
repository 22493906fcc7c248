% Random games in SWI-Prolog with the rules that `tafl dump GAME prolog` wrote, as
% fast as a plain Prolog player can play them: each role chooses uniformly among
% its legal moves, goals are asked for at the end. Used by tools/speed.
%
%   swipl -q -O tools/playouts.pl -- RULES.pl SECONDS
%
% Prints states per second.

:- initialization(main, main).

main([Rules, SecondsText]) :-
    consult(Rules),
    atom_number(SecondsText, Seconds),
    initial_state(Start),
    get_time(T0), Deadline is T0 + Seconds,
    play(Start, Start, Deadline, 0, States),
    get_time(T1),
    Rate is States / (T1 - T0),
    format("~1f~n", [Rate]).

% Makes another step, or starts a new game after the end of one, until time is up.
play(Facts, Start, Deadline, N, States) :-
    get_time(Now),
    (   Now >= Deadline
    ->  States = N
    ;   set_state(Facts),
        roles(Roles),
        (   is_terminal
        ->  forall(member(R, Roles), goals(R, _)),
            play(Start, Start, Deadline, N, States)
        ;   findall(R-M, ( member(R, Roles), legal_moves(R, Ms),
                           random_member(M, Ms) ), Joint),
            next_state(Joint, Next),
            N1 is N + 1,
            play(Next, Start, Deadline, N1, States)
        )
    ).
