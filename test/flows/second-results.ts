import type { Rules } from '../../src/engine/flows/flow.ts'
import type { ScoreReport } from '../../src/engine/flows/rows.ts'

/**
 * The winner of a map, implemented a second time from the text of the rules. (match-flows: Who wins a map, and the
 * match)
 */

export interface Told extends ScoreReport {
  seat: number
  /** The position of the row that reported it. */
  position: number
  chain: number
  run: number
  /** Whether it is the score of its player that counts on the run. */
  counts: boolean
  /** Why it is ignored: a technical replay, another map, a second score, or a stranger. */
  aside: 'technical' | 'wrong_map' | 'second' | 'stranger' | null
}

export interface Playing {
  who: string[][]
  told: Told[]
  closed: boolean
  again: Set<number>
  better: boolean
  claimedBy: number | null
  number: number
}

export interface Standing {
  totals: number[]
  /** The value that counts: −∞ for a failed side where fewer misses win. */
  worth: number[]
  counted: (number | null)[]
  /** By seat. */
  players: { user: string; score: Told | null }[][]
  holder: number | null
  top: number[]
  because: 'score' | 'better_of_each' | 'score_to_beat' | 'last_counts'
}

type Zeroed = (score: Told) => boolean

export function isComplete({ who, told, closed, again }: Playing): boolean {
  if (again.size > 0) return false
  if (closed) return true
  for (const [index, users] of who.entries()) {
    for (const user of users) {
      if (!told.some((one) => one.counts && one.seat === index + 1 && one.user === user)) return false
    }
  }
  return true
}

/**
 * The value of a score, where more is better. A score that counts 0 is the worst possible value where fewer misses win.
 */
export function worthOf(rules: Rules, score: Told | null, zeroed: Zeroed): number {
  const counts0 =
    score === null ||
    score.completion === 'absent' ||
    rules.zero.some((name) => name === score.completion) ||
    zeroed(score)
  if (rules.map.by === 'misses') return counts0 ? -Infinity : -(score.misses ?? 0)
  if (counts0) return 0
  return rules.map.by === 'accuracy' ? (score.accuracy ?? 0) : score.score
}

function together(rules: Rules, values: readonly number[]): number {
  if (values.length === 0) return rules.map.by === 'misses' ? -Infinity : 0
  const sorted = [...values].sort((a, b) => b - a)
  const used = rules.map.team === 'top' && rules.map.top !== null ? sorted.slice(0, rules.map.top) : sorted
  let sum = 0
  for (const value of used) sum += value
  if (rules.map.team === 'mean') sum /= used.length
  return Math.abs(sum) === Infinity ? sum : Number(sum.toFixed(9))
}

interface Part {
  run: Playing
  players: { user: string; score: Told | null; run: number }[][]
  worth: number[]
}

function partOf(rules: Rules, run: Playing, zeroed: Zeroed): Part {
  const players = run.who.map((users, index) =>
    users.map((user) => {
      let best: Told | null = null
      for (const one of run.told) {
        if (one.seat !== index + 1 || one.user !== user) continue
        if (!one.counts && !(run.better && one.aside === 'technical')) continue
        if (best === null || worthOf(rules, one, zeroed) > worthOf(rules, best, zeroed)) best = one
      }
      return { user, score: best, run: run.number }
    }),
  )
  const worth = players.map((list) =>
    together(
      rules,
      list.map(({ score }) => worthOf(rules, score, zeroed)),
    ),
  )
  return { run, players, worth }
}

function topOf(worth: readonly number[]): number[] {
  const most = Math.max(...worth)
  const seats: number[] = []
  worth.forEach((value, index) => {
    if (value === most) seats.push(index + 1)
  })
  return seats
}

function shown(rules: Rules, value: number): number {
  if (rules.map.by !== 'misses') return value
  return value === -Infinity ? 0 : -value
}

/** @param chain complete runs, at least one */
export function standingOfChain(rules: Rules, chain: readonly Playing[], zeroed: Zeroed): Standing {
  const parts = chain.map((run) => partOf(rules, run, zeroed))
  const [first] = parts
  const last = parts.at(-1)
  if (first === undefined || last === undefined) throw new Error('nothing was played')
  const plain = (part: Part, because: Standing['because']): Standing => {
    const top = topOf(part.worth)
    return {
      totals: part.worth.map((value) => shown(rules, value)),
      worth: part.worth,
      counted: part.worth.map(() => part.run.number),
      players: part.players,
      holder: top.length === 1 ? (top[0] ?? null) : null,
      top,
      because,
    }
  }
  if (parts.length === 1) return plain(first, 'score')
  if (rules.replays.rule === 'last_counts') return plain(last, 'last_counts')
  if (rules.replays.rule === 'score_to_beat') {
    const level = topOf(first.worth)
    let holder: number | null = level.length > 1 ? null : (level[0] ?? null)
    let held = first
    let beat = Math.max(...first.worth)
    parts.forEach((part, index) => {
      if (index === 0) return
      beat = Math.max(beat, ...(parts[index - 1]?.worth ?? []))
      const claimant = part.run.claimedBy
      if (claimant === null || claimant === holder) return
      const own = part.worth[claimant - 1] ?? 0
      if (own > beat && own > (part.worth[claimant === 1 ? 1 : 0] ?? 0)) {
        holder = claimant
        held = part
      }
    })
    return { ...plain(held, 'score_to_beat'), holder, top: holder === null ? level : [holder] }
  }
  const players = first.players.map((_, index) => {
    const best = new Map<string, { user: string; score: Told | null; run: number }>()
    for (const part of parts) {
      for (const one of part.players[index] ?? []) {
        const before = best.get(one.user)
        const isBetter =
          before === undefined ||
          (before.score === null && one.score !== null) ||
          (one.score !== null && worthOf(rules, one.score, zeroed) > worthOf(rules, before.score, zeroed))
        if (isBetter) best.set(one.user, one)
      }
    }
    return [...best.values()]
  })
  const worth = players.map((list, index) => {
    const size = Math.max(...parts.map((part) => part.players[index]?.length ?? 0))
    const values = list.map(({ score }) => worthOf(rules, score, zeroed)).sort((a, b) => b - a)
    return together(rules, values.slice(0, size))
  })
  const top = topOf(worth)
  return {
    totals: worth.map((value) => shown(rules, value)),
    worth,
    counted: players.map((list) => {
      const runs = [...new Set(list.filter(({ score }) => score !== null).map(({ run }) => run))]
      return runs.length === 1 ? (runs[0] ?? null) : null
    }),
    players,
    holder: top.length === 1 ? (top[0] ?? null) : null,
    top,
    because: 'better_of_each',
  }
}

/** The one of the level seats that `best_player` or `fewer_misses` prefers. */
export function preferred(
  rules: Rules,
  rule: 'best_player' | 'fewer_misses',
  standing: Standing,
  zeroed: Zeroed,
): number | null {
  const marks = standing.top.map((seat) => {
    const list = standing.players[seat - 1] ?? []
    if (rule === 'best_player') {
      const values = list.map(({ score }) => worthOf(rules, score, zeroed))
      return Math.max(-Infinity, ...values)
    }
    let misses = 0
    for (const { score } of list) {
      if (score === null || score.misses === null) return null
      misses += score.misses
    }
    return -misses
  })
  if (marks.includes(null)) return null
  const most = Math.max(...marks.map((mark) => mark ?? 0))
  const best = standing.top.filter((_, index) => marks[index] === most)
  return best.length === 1 ? (best[0] ?? null) : null
}
