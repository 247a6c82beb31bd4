import type { TreePickBan, TreePoolMap } from '../../../../src/engine/scenes/tree.ts'
import { h } from '../../dom.ts'
import { isSameMap, shownAt } from '../../model/joined.ts'
import { readableOn } from '../../model/props.ts'
import { type Brush, Drawn, difficultyTag, flairTag, mapName, sized, styled, tag, tagOfModifier } from './drawn.ts'

/** The maps of the pool with their picks and bans. (overlays: Scene document) */
export class PickBansPainter extends Drawn<'pickBans'> {
  constructor() {
    super('pickBans', 'pick-bans')
  }

  protected shown({ context: { reading }, shows }: Brush<'pickBans'>) {
    const { pool, pickBans, flow, sides, map, games } = reading.bound
    const names = sides.map(({ team, placeholder }) => team?.name ?? placeholder)
    return {
      // Without the part `pool`, only picked and banned maps are shown.
      maps: shows('pool') && pool !== null ? pool.maps : mapsOf(pickBans, pool?.maps ?? []),
      pickBans,
      turn: flow?.turn ?? null,
      phase: flow?.phase ?? null,
      names,
      current: map,
      // A side that only holds a map may still lose it by a replay.
      held: games.flatMap(({ map: of, winner, provisional }) =>
        provisional && of !== null ? [{ map: of, winner }] : [],
      ),
      isReplayed: games.some(({ phase }) => phase === 'replay'),
      // When all maps are chosen, the next map is more interesting than whose turn it is.
      next: flow?.turn?.action === 'play' && map !== null ? mapName(map) : null,
    }
  }

  protected draw(brush: Brush<'pickBans'>) {
    const { size, maxRows, shows } = brush
    const shown = this.shown(brush)
    const maps = shown.maps.slice(0, Math.min(40, maxRows * 8))
    if (maps.length === 0) return []
    const { turn } = shown
    const hasTurn = shows('turn') && turn !== null
    const room = size.height * (hasTurn ? 0.87 : 1)
    const gap = Math.round(Math.min(size.width, size.height) * 0.018)
    const columns = columnsOf(maps.length, size.width, room, gap)
    const rows = Math.ceil(maps.length / columns)
    const width = (size.width - gap * (columns - 1)) / columns
    const height = (room - gap * (rows - 1)) / rows
    const tiles = maps.map((map) =>
      styled(this.#tile(map, shown, brush), {
        width: `${Math.floor(width * 100) / 100}px`,
        height: `${Math.floor(height * 100) / 100}px`,
      }),
    )
    const grid = styled(sized(h('div', 'grid', ...tiles), Math.min(width / 15, height / 7)), {
      gap: `${gap}px`,
      height: `${room}px`,
    })
    return [hasTurn ? this.#turn(shown, brush) : null, grid]
  }

  #turn(board: Board, brush: Brush<'pickBans'>): HTMLElement {
    const { turn, names, next } = board
    const index = turn?.side == null ? null : shownAt(brush.context.reading.bound, turn.side)
    const name = index === null ? null : names[index]
    const color = brush.sideColor(turn?.side ?? null) ?? brush.look.accent
    const line = h('div', 'turn', tag(nowOf(board), color), h('span', 'who', name ?? next ?? ''))
    return styled(sized(line, brush.size.height * 0.058), { height: `${brush.size.height * 0.13}px`, '--edge': color })
  }

  #tile(map: TreePoolMap, board: Board, brush: Brush<'pickBans'>): HTMLElement {
    const { context, shows, look } = brush
    const { around } = context.reading
    const done = board.pickBans.find((each) => each.map !== null && isSameMap(each.map, map))
    const state = stateOf(map, done)
    const verdict = shows('winner') ? verdictOn(map, board, brush) : null
    const isCurrent = isNow(map, board) && state !== 'banned' && verdict?.kind !== 'won'
    const tile = h(
      'div',
      `tile ${state}${isCurrent ? ' current' : ''}${verdict === null ? '' : ` ${verdict.kind}`}`,
      h('div', 'cover', shows('cover') ? brush.picture(map.imageUrl) : null),
      h('div', 'shade'),
      h('div', 'top', ...this.#top(map, board, brush), shows('flair') ? flairTag(map, look) : null),
      h(
        'div',
        'bottom',
        shows('title') ? h('div', 'name', mapName(map)) : null,
        h(
          'div',
          'line',
          difficultyTag(map, around, { difficulty: shows('difficulty'), characteristic: shows('difficulty') }),
          ...(shows('modifiers') ? map.modifiers.slice(0, 2).map((name) => tagOfModifier(name)) : []),
          h('span', 'by', shows('mapper') ? (map.mapper ?? map.artist ?? '') : ''),
        ),
        verdict === null ? null : h('div', 'verdict', h('span', 'who', verdict.words)),
      ),
    )
    const edge = verdict?.color ?? (isCurrent ? look.accent : null)
    return styled(tile, { '--edge': edge, '--on-edge': edge === null ? null : readableOn(edge) })
  }

  /** What was done with the map and, in small letters, the side that did it. */
  #top(map: TreePoolMap, board: Board, { context, sideColor, shows, look }: Brush<'pickBans'>): (HTMLElement | null)[] {
    const { pickBans, names, phase } = board
    const done = pickBans.find((each) => each.map !== null && isSameMap(each.map, map))
    const state = stateOf(map, done)
    const side = map.side ?? done?.side ?? null
    const who = side === null || !shows('side') ? null : names[shownAt(context.reading.bound, side)]
    const kind = state === 'free' ? null : wordsOf(done?.action ?? state).done
    const isNumbered = shows('order') && done !== undefined && state !== 'banned'
    const order = kind === null || !isNumbered ? kind : `${kind} ${countOf(pickBans, done)}`.trim()
    const isPlaying = isNow(map, board) && map.winner === null && state !== 'banned'
    const now = isPlaying
      ? phase === 'playing'
        ? played(board)
        : phase === 'window'
          ? 'Just played'
          : 'Up next'
      : null
    // The map of the moment has no room for a name: what was done is in the colour of the side.
    const isNamed = now === null || order === null || !shows('action')
    const isTiebreaker = map.isTiebreaker || state === 'tiebreaker'
    return [
      now === null || !shows('action') ? null : tag(now, look.accent, 'tag now'),
      shows('action') && order !== null && order !== 'Tiebreaker'
        ? styled(h('span', 'tag done', order), { color: isNamed ? null : sideColor(side) })
        : null,
      // A tiebreaker is one before anybody has chosen it; its flair may say so already.
      isTiebreaker && !(shows('flair') && /^tie-?\s?breaker$/i.test(map.flair?.name ?? ''))
        ? tag('Tiebreaker', look.accent)
        : null,
      who && isNamed ? styled(h('span', 'who', who), { color: sideColor(side) ?? look.text }) : null,
    ]
  }
}

type Board = ReturnType<PickBansPainter['shown']>

/** What is done now, next to who does it or to the map that it is about. */
function nowOf({ turn, phase, isReplayed }: Board): string {
  const action = turn?.action ?? ''
  if (action !== 'play') return wordsOf(action).now
  if (phase === 'window') return turn?.side == null ? 'May be replayed' : 'May claim a replay'
  return phase === 'playing' ? played({ isReplayed }) : wordsOf(action).now
}

const played = ({ isReplayed }: Pick<Board, 'isReplayed'>) => (isReplayed ? 'Replay' : 'Now playing')

function isNow(map: TreePoolMap, { current }: Board): boolean {
  return current !== null && isSameMap(current, map)
}

/** Who has won the map, or holds it for now. */
function verdictOn(map: TreePoolMap, { names, held }: Board, { context, sideColor, look }: Brush<'pickBans'>) {
  const provisional = held.find((each) => isSameMap(each.map, map))
  const side = map.winner ?? provisional?.winner ?? null
  if (side === null) return null
  const name = names[shownAt(context.reading.bound, side)] ?? `Side ${side}`
  const isWon = map.winner !== null
  return {
    kind: isWon ? 'won' : 'held',
    words: isWon ? `${name} won` : `${name} leads · not final`,
    color: sideColor(side) ?? look.accent,
  } as const
}

/** The number of columns that gives tiles the best aspect ratio. */
function columnsOf(count: number, width: number, height: number, gap: number): number {
  const wanted = 1.75
  let [best, fault] = [1, Number.POSITIVE_INFINITY]
  for (let columns = 1; columns <= Math.min(10, count); columns++) {
    const rows = Math.ceil(count / columns)
    const aspect = (width - gap * (columns - 1)) / columns / ((height - gap * (rows - 1)) / rows)
    // Empty places in the last row waste room.
    const off = Math.abs(Math.log(aspect / wanted)) + ((rows * columns - count) / count) * 0.5
    if (off < fault) [best, fault] = [columns, off]
  }
  return best
}

/** The picked and banned maps in this order, with their data from the pool. */
function mapsOf(pickBans: readonly TreePickBan[], pool: readonly TreePoolMap[]): TreePoolMap[] {
  return pickBans.flatMap(({ map, action, side }) => {
    if (map === null) return []
    const known = pool.find((each) => isSameMap(each, map))
    return [known ?? { ...map, state: action, side, winner: null, isTiebreaker: action === 'tiebreaker' }]
  })
}

function stateOf(
  map: TreePoolMap,
  done: TreePickBan | undefined,
): 'free' | 'banned' | 'picked' | 'protected' | 'tiebreaker' {
  const word = `${map.state} ${done?.action ?? ''}`.toLowerCase()
  if (/ban|veto|removed/.test(word)) return 'banned'
  if (/tie/.test(word)) return 'tiebreaker'
  if (/pick|played|current|decider/.test(word)) return 'picked'
  return /protect/.test(word) ? 'protected' : 'free'
}

/** Words for the current action, shown next to the side whose turn it is. */
const turns: Readonly<Record<string, string>> = {
  play: 'Up next',
  choose: 'Chooses',
  roll: 'Rolls',
  random: 'Random map',
  lineup: 'Line-up',
  ready: 'Get ready',
}

function wordsOf(action: string): { readonly now: string; readonly done: string } {
  const word = action.toLowerCase()
  if (/ban|veto|removed/.test(word)) return { now: 'Bans', done: 'Ban' }
  if (/protect/.test(word)) return { now: 'Protects', done: 'Protected' }
  if (/tie/.test(word)) return { now: 'Tiebreaker', done: 'Tiebreaker' }
  if (/pick|played|current/.test(word)) return { now: 'Picks', done: 'Pick' }
  const name = action.charAt(0).toUpperCase() + action.slice(1)
  return { now: turns[word] ?? name, done: name }
}

/** The number of a pick among all picks. */
function countOf(pickBans: readonly TreePickBan[], done: TreePickBan): string {
  const same = pickBans.filter(({ action }) => action === done.action)
  return same.length < 2 ? '' : String(same.indexOf(done) + 1)
}
