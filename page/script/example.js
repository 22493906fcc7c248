/* A small game that is whole: what the editor begins with. */

export const EXAMPLE = `; Treblecross
;
; Nine fields in a row. In turn, each player puts a cross on an
; empty field. Whoever makes three crosses side by side has won.

(role first)
(role second)

; How it begins

(<= (init (cell ?n b)) (field ?n))
(init (control first))

; What may be done

(<= (legal ?who (cross ?n))
    (true (control ?who))
    (true (cell ?n b)))
(<= (legal ?who wait)
    (role ?who)
    (not (true (control ?who))))

; What it changes

(<= (next (cell ?n x))
    (does ?who (cross ?n)))
(<= (next (cell ?n ?mark))
    (true (cell ?n ?mark))
    (not (crossed ?n)))
(<= (next (control ?other))
    (true (control ?who))
    (role ?other)
    (distinct ?who ?other))

(<= (crossed ?n) (does ?who (cross ?n)))

; How it ends: the player who would be next has lost

(<= terminal three)
(<= (goal ?who 100) (role ?who) three (not (true (control ?who))))
(<= (goal ?who 0) (role ?who) three (true (control ?who)))
(<= (goal ?who 50) (role ?who) (not three))

(<= three
    (true (cell ?a x)) (true (cell ?b x)) (true (cell ?c x))
    (after ?a ?b) (after ?b ?c))

(field 1) (field 2) (field 3) (field 4) (field 5)
(field 6) (field 7) (field 8) (field 9)
(after 1 2) (after 2 3) (after 3 4) (after 4 5)
(after 5 6) (after 6 7) (after 7 8) (after 8 9)
`;
