import {
  type Box,
  bind,
  drawn,
  element,
  format,
  group,
  onlyWith,
  type Part,
  type SceneParts,
  shape,
  text,
} from '../build.ts'
import { backdrop, castersStrip, instead, scoreBar, versusIf } from '../frame.ts'
import { hasNoMap, hasNoPlayers, onlyIf, unless } from '../tests.ts'
import { balance } from './bars.ts'
import { strip } from './strip.ts'

/** The gameplay scene for teams. */

const [top, room, gap] = [128, 704, 12]
const mapFacts = ['cover', 'title', 'artist', 'mapper', 'difficulty', 'duration', 'bpm', 'stars', 'modifiers']

/** Two teams, whose players fill the height. @param players of a team, at most six */
export function teamsOf(players: number): SceneParts {
  return {
    name: 'Gameplay',
    role: 'gameplay',
    parts: [
      ...backdrop(),
      ...scoreBar(),
      group(
        'Players',
        [0, 0, 1920, 1080],
        [...([0, 1] as const).flatMap((side) => teamColumn(side, players)), ...balance([24, 840, 1872, 12])],
        { ...unless(hasNoPlayers) },
      ),
      ...strip(862, 74),
      // While no song runs, the card has the room of the totals too.
      drawn('mapCard', 'Map and its picker', [24, 946, 1344, 110], {}, { ...onlyIf({ path: 'live', op: 'empty' }) }),
      drawn('mapCard', 'Map', [24, 946, 720, 110], { parts: mapFacts }, { conditions: onlyWith('live') }),
      instead('The first map follows', hasNoMap, [24, 880, 1344, 150]),
      versusIf(260, hasNoPlayers),
      ...([0, 1] as const).flatMap((side) => teamTotal(side)),
      text(
        'Lead label',
        [972, 950, 192, 28],
        { text: 'Lead', size: 22, color: 'var(muted)', align: 'center' },
        undefined,
        { conditions: onlyWith('live.lead') },
      ),
      text(
        'Lead',
        [972, 978, 192, 70],
        { font: 'display', size: 44, weight: 800, align: 'center' },
        bind('text', 'live.lead.score', [format('number', 0), format('prefix', '+')]),
        {
          bindings: { color: bind('color', 'live.lead.place', [format('map', 1, 'var(side1)', 2, 'var(side2)')]) },
          animation: { change: { kind: 'count', durationMs: 250 } },
        },
      ),
      castersStrip([1392, 954, 504, 92]),
    ],
  }
}

/** The total of a side’s players, on either side of the leader. */
function teamTotal(side: 0 | 1): readonly Part[] {
  const x = side === 0 ? 756 : 1184
  const align = side === 0 ? 'right' : 'left'
  const conditions = onlyWith('live')
  return [
    text(
      `Total label ${side + 1}`,
      [x, 950, 196, 28],
      { text: 'Total', size: 22, color: 'var(muted)', align },
      undefined,
      { conditions },
    ),
    text(
      `Total ${side + 1}`,
      [x, 978, 196, 70],
      { font: 'display', size: 52, weight: 800, align, color: `var(side${side + 1})` },
      bind('text', `live.sides.${side}.score`, [format('number', 0)], ''),
      { conditions, animation: { change: { kind: 'count', durationMs: 250 } } },
    ),
  ]
}

/** The column of a side: streams outside, numbers inside. */
function teamColumn(side: 0 | 1, players: number): readonly Part[] {
  const x = side === 0 ? 24 : 972
  const row = Math.floor((room - gap * (players - 1)) / players)
  const wide = Math.min(524, Math.round((row * 16) / 9))
  const color = `var(side${side + 1})`
  const list = (name: string, source: string, inside: readonly Part[]) =>
    element(
      'list',
      `${name} ${side + 1}`,
      [x, top, 924, room],
      { source, max: players, direction: 'down', gap, align: 'center' },
      { inside },
    )
  // Names and numbers read from the stream inwards.
  const words: Box = side === 0 ? [wide + 24, 0, 876 - wide, row] : [24, 0, 876 - wide, row]
  const { name, numbers } = row >= 200 ? highRow(side, words) : lowRow(side, words)
  return [
    list('Players', `sides.${side}.players`, [
      shape('Ground', [0, 0, 924, row], 'var(ground)', { border: { width: 2, color: 'var(line)' } }),
      element(
        'stream',
        'Stream',
        [side === 0 ? 0 : 924 - wide, 0, wide, row],
        { side: side + 1 },
        { bindings: { player: bind('player', 'index') }, border: { width: 3, color } },
      ),
      name,
    ]),
    list('Numbers', `live.sides.${side}.players`, [
      ...numbers,
      // Keeps the cells of both lists at the same height.
      shape('Room', [0, 0, 924, row], '#00000000'),
    ]),
  ]
}

interface Words {
  readonly name: Part
  readonly numbers: readonly Part[]
}

/** Name, accuracy, score and misses below one another. */
function highRow(side: 0 | 1, [x, , width, row]: Box): Words {
  const align = side === 0 ? 'left' : 'right'
  const at = (from: number, to: number): Box => [x, Math.round(row * from), width, Math.round(row * (to - from))]
  return {
    name: nameOf(at(0.06, 0.27), align, row),
    numbers: [accuracy(at(0.27, 0.67), align, side), score(at(0.67, 0.81), align), misses(at(0.81, 0.95), align)],
  }
}

/** Name and accuracy on the outside, score and misses on the inside. */
function lowRow(side: 0 | 1, [x, , width, row]: Box): Words {
  const [own, other] = side === 0 ? (['left', 'right'] as const) : (['right', 'left'] as const)
  const half = Math.round(width * 0.6)
  const box = (isInner: boolean, from: number, to: number): Box => {
    const start = side === 0 ? (isInner ? half : 0) : isInner ? 0 : width - half
    return [x + start, Math.round(row * from), isInner ? width - half : half, Math.round(row * (to - from))]
  }
  return {
    name: nameOf([x, Math.round(row * 0.05), width, Math.round(row * 0.36)], own, row),
    numbers: [
      accuracy(box(false, 0.4, 0.96), own, side),
      score(box(true, 0.42, 0.66), other),
      misses(box(true, 0.68, 0.94), other),
    ],
  }
}

type Align = 'left' | 'right'

/** The largest letters that fit the height of a box, up to a size. */
const sized = ([, , , height]: Box, most: number) => Math.min(most, Math.round(height * 0.9))
const counting = { animation: { change: { kind: 'count', durationMs: 250 } } } as const

/** The name of a player, in the middle of the row while there are no numbers below it. */
function nameOf(box: Box, align: Align, row: number): Part {
  return text('Name', box, { font: 'display', size: sized(box, 52), weight: 700, align }, 'item.name', {
    conditions: { alone: { when: { path: 'live', op: 'empty' }, set: { y: 0, height: row } } },
  })
}

function accuracy(box: Box, align: Align, side: 0 | 1): Part {
  return text(
    'Accuracy',
    box,
    { font: 'display', size: sized(box, 116), weight: 800, align, color: `var(side${side + 1})` },
    bind('text', 'item.accuracy', [format('percent', 2)], '–'),
    counting,
  )
}

function score(box: Box, align: Align): Part {
  return text(
    'Score',
    box,
    { size: sized(box, 34), align },
    bind('text', 'item.score', [format('number', 0)]),
    counting,
  )
}

function misses(box: Box, align: Align): Part {
  return text(
    'Misses',
    box,
    { size: sized(box, 30), align, color: 'var(muted)' },
    bind('text', 'item.misses', [
      format('suffix', ' misses'),
      format('map', '0 misses', 'Full combo', '1 misses', '1 miss'),
    ]),
    {
      conditions: {
        full: { when: { path: 'item.misses', op: 'eq', value: 0 }, set: { color: 'var(accent)' } },
        out: {
          when: { path: 'item.state', op: 'eq', value: 'failed' },
          set: { text: 'Failed', color: 'var(warning)' },
        },
      },
    },
  )
}
