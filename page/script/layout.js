/* Where the places of a board lie in a picture.

   The unit is UNIT, the side of a common place. arrange() gives

     {width, height,          of the picture
      places: [PLACE or null by number],   null: missing
      panels: [{x, y, width, height, title}],  the plates the places lie on
      rows: [[number, …], …],  places in reading order, for lists and keys
      labels: [{x, y, text, anchor}],
      span}                    places across, which bounds the size on the screen

   PLACE is {number, x, y, w, h, size, d, spot, column, row, panel}: (x, y) is
   the centre, d the outline as an SVG path around the centre, spot the part of
   it that is coloured, size the side of the square in which a piece is drawn. A board consists of panels of columns x
   rows places: one for each layer, and for each place of an outer board. */

export const UNIT = 100;
const LABEL = 46;
const GAP = 42;
const TITLE = 54;

const CUBE = [[1, 0], [0, 1], [1, 1], [2, 1], [3, 1], [1, 2]];

const rectangle = (w, h) => `M${-w / 2} ${-h / 2}h${w}v${h}h${-w}z`;

function hexagon(w) {
  const r = w / Math.sqrt(3);
  const half = w / 2;
  return `M0 ${-r}L${half} ${-r / 2}V${r / 2}L0 ${r}L${-half} ${r / 2}V${-r / 2}z`;
}

export const circle = (r) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

/* What a single panel looks like: places by column and row of the panel,
   relative to its corner. */
const SHAPES = {grid: gridPanel, hex: hexPanel, row: rowPanel, tower: towerPanel, cube: gridPanel, ring: ringPanel};

function cell(x, y, w, h, size = Math.min(w, h), d = rectangle(w, h)) {
  return {x, y, w, h, size, d};
}

function gridPanel(board) {
  const {columns, rows} = board;
  const at = (x, y) => cell((x + 0.5) * UNIT, ((board.up ? rows - 1 - y : y) + 0.5) * UNIT, UNIT, UNIT);
  return {width: columns * UNIT, height: rows * UNIT, span: columns, at};
}

function hexPanel(board) {
  const {columns, rows} = board;
  const missing = new Set(board.missing || []);
  const height = UNIT * Math.sqrt(3) / 2;
  /* Columns are places, or half places if rows have no slant. */
  const step = board.slant === 0 ? 0.5 : 1;
  const along = (x, y) => x * step + y * (board.slant ?? 1) / 2;
  let left = Infinity;
  let right = -Infinity;
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      if (!missing.has(y * columns + x)) {
        left = Math.min(left, along(x, y));
        right = Math.max(right, along(x, y));
      }
    }
  }
  const r = UNIT / Math.sqrt(3);
  const at = (x, y) => cell((along(x, y) - left + 0.5) * UNIT, r + (board.up ? rows - 1 - y : y) * height, UNIT, 2 * r, UNIT * 0.96, hexagon(UNIT));
  return {width: (right - left + 1) * UNIT, height: (rows - 1) * height + 2 * r, span: right - left + 1, at};
}

function rowPanel(board) {
  const {columns} = board;
  if (board.style === "stack") {
    const [w, h] = [5 * UNIT, 0.56 * UNIT];
    const at = (x) => cell(w / 2, (x + 0.5) * h, w, h, h);
    return {width: w, height: columns * h, span: 5, at};
  }
  if (board.style === "heaps") {
    const [w, h] = [1.3 * UNIT, Math.max(1, board.most || 1) * 0.42 * UNIT + 0.4 * UNIT];
    return {width: columns * w, height: h, span: columns * 1.3, at: (x) => cell((x + 0.5) * w, h / 2, w, h, UNIT)};
  }
  const lines = Math.ceil(columns / 12);
  const across = Math.ceil(columns / lines);
  const step = UNIT + (board.x ? 1.2 * LABEL : 0);
  const at = (x) => cell((x % across + 0.5) * UNIT, Math.floor(x / across) * step + 0.5 * UNIT, UNIT, UNIT);
  return {width: across * UNIT, height: (lines - 1) * step + UNIT, span: Math.max(across, 4), at};
}

function towerPanel(board) {
  const {columns, rows} = board;
  const [w, h] = board.bars ? [2.5 * UNIT, 0.46 * UNIT] : [1.25 * UNIT, UNIT];
  const head = board.bars ? 0.5 * UNIT : 0.1 * UNIT;
  const at = (x, y) => cell((x + 0.5) * w, head + (rows - 1 - y + 0.5) * h, w, h, h);
  return {width: columns * w, height: head + rows * h + 0.12 * UNIT, span: Math.max(columns * w / UNIT, 4), at};
}

function ringPanel(board) {
  const n = board.columns;
  const radius = Math.max(1.1, n * 1.18 / (2 * Math.PI)) * UNIT;
  const side = 2 * radius + 1.1 * UNIT;
  const at = (x) => {
    const angle = 2 * Math.PI * x / n - Math.PI / 2;
    return cell(side / 2 + radius * Math.cos(angle), side / 2 + radius * Math.sin(angle), UNIT, UNIT, UNIT,
                circle(UNIT * 0.47));
  };
  return {width: side, height: side, span: side / UNIT, at};
}

/* Corners of the panels, by outer place and layer, and the size of the whole.
   `across` layers lie side by side. */
function placePanels(board, panel, across) {
  const margin = axisMargins(board);
  const title = board.layers > 1 && board.shape !== "cube" ? TITLE : 0;
  const gap = board.shape === "cube" ? 0.12 * UNIT : GAP;
  const [stepX, stepY] = [panel.width + margin.left + gap, panel.height + margin.bottom + title + gap];
  const spots = [];
  const outer = board.outer || {columns: 1, rows: 1};
  const tight = board.outer ? 0.22 * UNIT : 0;
  const lines = board.shape === "cube" ? 3 : Math.ceil(board.layers / across);
  const wide = (board.shape === "cube" ? 4 : across) * stepX - gap + tight;
  const high = lines * stepY - gap + tight;
  for (let oy = 0; oy < outer.rows; oy++) {
    for (let ox = 0; ox < outer.columns; ox++) {
      const row = board.up ? outer.rows - 1 - oy : oy;
      for (let z = 0; z < board.layers; z++) {
        const [column, line] = board.shape === "cube" ? CUBE[z] : [z % across, Math.floor(z / across)];
        spots.push({x: ox * wide + margin.left + column * stepX, y: row * high + title + line * stepY,
        width: panel.width, height: panel.height, title: title ? axis(board.z, z) : null});
      }
    }
  }
  return {panels: spots, width: outer.columns * wide - tight, height: outer.rows * high - tight,
          span: outer.columns * (board.shape === "cube" ? 4 : across) * panel.span};
}

const axis = (labels, index) => labels && labels[index] != null ? String(labels[index]) : String(index + 1);

/* Space for the labels of a board that has some. */
function axisMargins(board) {
  if (board.shape === "cube" || board.outer || board.shape === "ring") {
    return {left: 0, bottom: 0};
  }
  const left = board.y && board.rows > 1 && board.shape !== "tower" || board.style === "stack" ? LABEL : 0;
  return {left, bottom: board.x && board.style !== "stack" ? LABEL : 0};
}

function labelsOf(board, places, spots, numbers) {
  const labels = [];
  const margin = axisMargins(board);
  const add = (x, y, text, anchor = "middle") => labels.push({x, y, text, anchor});
  spots.forEach((spot, index) => {
    const bottom = spot.y + spot.height + LABEL * 0.62;
    const at = (x, y) => places[numbers(index, x, y)];
    if (margin.bottom && board.shape === "tower") {
      labelPiles(board, at, (x, text) => add(x, bottom, text));
    } else if (margin.bottom) {
      labelColumns(board, at, (place, text) => add(place.x, board.shape === "row" && place.h === UNIT
        ? place.y + place.h / 2 + LABEL * 0.62 : bottom, text));
    }
    if (margin.left) {
      labelRows(board, at, (place, text) => add((board.shape === "hex" ? place.x - place.w / 2 : spot.x) - LABEL * 0.3,
        place.y + 10, text, "end"));
    }
    if (spot.title) {
      add(spot.x + spot.width / 2, spot.y - TITLE * 0.32, `Layer ${spot.title}`);
    }
  });
  return labels;
}

/* The lowest place says where the label of a column stands. */
function labelColumns(board, at, add) {
  for (let x = 0; x < board.columns; x++) {
    let lowest = null;
    for (let y = 0; y < board.rows; y++) {
      const place = at(x, y);
      if (place && (!lowest || place.y > lowest.y)) lowest = place;
    }
    if (lowest && (board.shape !== "hex" || isBottom(board, lowest))) add(lowest, axis(board.x, x));
  }
}

/* Columns without a name belong to the base of those before them. */
function labelPiles(board, at, add) {
  for (let x = 0, next; x < board.columns; x = next) {
    for (next = x + 1; next < board.columns && board.x[next] === ""; next++);
    add((at(x, 0).x + at(next - 1, 0).x) / 2, axis(board.x, x));
  }
}

const isBottom = (board, place) => place.row === (board.up ? 0 : board.rows - 1);

function labelRows(board, at, add) {
  if (board.style === "stack") {
    for (let x = 0; x < board.columns; x++) add(at(x, 0), axis(board.x, x));
    return;
  }
  for (let y = 0; y < board.rows; y++) {
    for (let x = 0; x < board.columns; x++) {
      if (at(x, y)) {
        add(at(x, y), axis(board.y, y));
        break;
      }
    }
  }
}

const ROUND = new Set(["discs", "holes", "points"]);

/* Round places: discs lie in holes or on crossings. */
function spotOf(board, place) {
  return ROUND.has(board.style) ? circle(place.size * 0.47) : place.d;
}

export function arrange(board, across = board.layers) {
  const panel = (SHAPES[board.shape] || gridPanel)(board);
  const layout = placePanels(board, panel, Math.max(1, Math.min(across, board.layers)));
  const missing = new Set(board.missing || []);
  const area = board.rows * board.columns;
  const number = (index, x, y) => index * area + y * board.columns + x;
  layout.places = [];
  layout.rows = [];
  layout.panels.forEach((spot, index) => {
    for (let line = 0; line < board.rows; line++) {
      const y = board.up || board.shape === "tower" ? board.rows - 1 - line : line;
      const row = [];
      for (let x = 0; x < board.columns; x++) {
        const n = number(index, x, y);
        layout.places[n] = null;
        if (!missing.has(n)) {
          const place = panel.at(x, y);
          layout.places[n] = {...place, number: n, x: place.x + spot.x, y: place.y + spot.y, spot: spotOf(board, place),
        column: x, row: y, panel: index};
          row.push(n);
        }
      }
      if (row.length) layout.rows.push(row);
    }
  });
  layout.labels = labelsOf(board, layout.places, layout.panels, number);
  return layout;
}

/* How many layers side by side make the picture largest in a room of this
   size. */
export function bestAcross(board, width, height) {
  if (board.layers < 2 || board.shape === "cube") return board.layers;
  const compact = Math.ceil(Math.sqrt(board.layers));
  let [best, scale] = [board.layers, 0];
  for (let across = 1; across <= board.layers; across++) {
    const layout = arrange({...board, x: null, y: null}, across);
    const fits = Math.min(width / layout.width, height / layout.height) * (across === compact ? 1.25 : 1);
    if (fits > scale + 1e-9) [best, scale] = [across, fits];
  }
  return best;
}

/* The place that an arrow key leads to: the nearest one in that direction,
   places off the line counting more. Returns the same place if there is none. */
export function beside(layout, number, dx, dy) {
  const from = layout.places[number];
  let [best, least] = [number, Infinity];
  for (const place of layout.places) {
    if (!place || place === from) continue;
    const along = (place.x - from.x) * dx + (place.y - from.y) * dy;
    const off = Math.abs((place.x - from.x) * dy) + Math.abs((place.y - from.y) * dx);
    if (along > 1 && off <= along * 1.75 && along + 2.5 * off < least) [best, least] = [place.number, along + 2.5 * off];
  }
  return best;
}

/* What people call a place. */
export function placeName(board, number) {
  const area = board.rows * board.columns;
  const inner = number % area;
  const panel = Math.floor(number / area);
  const [x, y] = [inner % board.columns, Math.floor(inner / board.columns)];
  const parts = [];
  if (board.outer) {
    const outer = Math.floor(panel / board.layers);
    parts.push(`board ${outer % board.outer.columns + 1} ${Math.floor(outer / board.outer.columns) + 1}`);
  }
  if (board.shape === "cube") {
    return `face ${axis(board.z, panel)}, row ${y + 1}, column ${x + 1}`;
  }
  if (board.layers > 1) {
    parts.push(`layer ${axis(board.z, panel % board.layers)}`);
  }
  parts.push(innerName(board, x, y));
  return parts.join(", ");
}

function innerName(board, x, y) {
  const [column, row] = [axis(board.x, x), axis(board.y, y)];
  if (board.rows === 1) return column;
  if (board.shape === "tower") {
    return `pile ${column}, level ${y + 1}`;
  }
  return /^[a-z]$/i.test(column) && /^\d+$/.test(row) ? column + row : `${column} ${row}`;
}
