import { aroundOf } from './choosing.ts'
import { jump, start as startCursor } from './cursor.ts'
import { type Clock, finalGames, type Game, type Machine, openGame, seatOf } from './machine.ts'
import { outcomeOf } from './outcomes.ts'
import type { DrawMark, Row, ScoreReport } from './rows.ts'
import { settle } from './settling.ts'
import {
  answer,
  applyChoice,
  completeTurn,
  finishSeat,
  giveLineup,
  isUntouched,
  leastTimeBackMs,
  newGame,
  newRun,
  running,
} from './turns.ts'
import { hasScore, type Run, type Score } from './winning.ts'

/** What a row does to a session. Nothing is judged here: what is in the log has happened. */
export function apply(machine: Machine, row: Row): void {
  machine.position = row.position
  remember(machine, row)
  const before = machine.isReopened ? resultsOf(machine) : null
  if (changing.has(row.kind)) machine.outcomes = new WeakMap()
  applyKind(machine, row)
  if (changing.has(row.kind)) machine.outcomes = new WeakMap()
  // A map that has another result settles what the match was opened again for.
  if (before !== null && before !== resultsOf(machine)) machine.isReopened = false
  settle(machine, row)
}

/** Rows that may change what a map that is final comes to. */
const changing: ReadonlySet<Row['kind']> = new Set([
  'scores',
  'score_corrected',
  'penalty',
  'penalty_voided',
  'technical',
  'override',
  'map_told',
])

/** Of the maps that are final, to be compared. */
function resultsOf(machine: Machine): string {
  return JSON.stringify(
    finalGames(machine).map((game) => {
      const { winner, totals } = outcomeOf(machine, game)
      return [game.game, winner, totals]
    }),
  )
}

function remember(machine: Machine, row: Row): void {
  if (row.seat === null || row.by === null) return
  if (row.onBehalf && row.kind !== 'present') return
  const seat = seatOf(machine, row.seat)
  seat.firstAt ??= row.at
}

type Of<K extends Row['kind']> = Extract<Row, { kind: K }>

const effects: { readonly [K in Row['kind']]: (machine: Machine, row: Of<K>) => void } = {
  start: begin,
  present: (machine, { seat }) => {
    if (seat !== null) seatOf(machine, seat).isPresent = true
  },
  nonce: (machine, { seat, data }) => {
    if (seat !== null) seatOf(machine, seat).nonce = data.nonce
  },
  roll: rollDice,
  choose: takePlace,
  protect: choose,
  ban: choose,
  pick: choose,
  random: choose,
  tiebreaker: choose,
  lineup: choose,
  flair_pick: (machine, { seat, data }) => {
    takeDraw(machine, data)
    machine.pickFlair = data.flair
    finishSeat(machine, seat)
  },
  flair_ban: (machine, { seat, data }) => {
    takeDraw(machine, data)
    machine.bannedFlairs.add(data.flair)
    finishSeat(machine, seat)
  },
  ready: (machine, { seat }) => finishSeat(machine, seat),
  skip: (machine, { seat }) => finishSeat(machine, seat),
  break: (machine, { seat }) => finishSeat(machine, seat),
  lapse,
  clock: setClock,
  timeout: callTimeout,
  undo: giveTimeBack,
  accept: (machine, { seat }) => {
    if (seat !== null) openGame(machine)?.accepted.add(seat)
  },
  scores: takeScores,
  score_corrected: correctScore,
  claim,
  claim_cancelled: cancelClaim,
  technical: playAgain,
  penalty: (machine, { by, at, data }) => {
    machine.penalties.push({ ...data.penalty, by, at, voidedAt: null })
  },
  penalty_voided: (machine, { at, data }) => {
    const penalty = machine.penalties.find(({ guid }) => guid === data.penalty)
    if (penalty !== undefined) penalty.voidedAt = at
  },
  override,
  map_told: tellMap,
  result_told: (machine, { data }) => {
    machine.ending = { winner: data.result.winner, by: 'told', isFinished: false }
  },
  reopened: (machine, { at, data }) => {
    machine.ending = null
    machine.isReopened = true
    machine.pausedAt = at
    // A correction may have begun a turn already.
    stop(machine, at)
    machine.seeds.push({ commitment: data.commitment, seed: null })
  },
  void: (machine) => {
    machine.ending = { winner: null, by: 'void', isFinished: true }
  },
  finish,
  reveal: (machine, { data }) => {
    const last = machine.seeds.at(-1)
    if (last !== undefined) last.seed = data.seed
  },
}

function applyKind<K extends Row['kind']>(machine: Machine, row: Of<K>): void {
  // The table has for each kind what takes its rows, which the compiler cannot follow through the index.
  const effect = effects[row.kind] as (machine: Machine, row: Of<K>) => void
  effect(machine, row)
}

/** Draws are counted, so that each has a number of its own. */
function takeDraw(machine: Machine, { draw }: { readonly draw?: DrawMark }): void {
  if (draw !== undefined) machine.draws += 1
}

function begin(machine: Machine, { data, position }: Of<'start'>): void {
  machine.seeds.push({ commitment: data.commitment, seed: null })
  machine.cursor = startCursor(machine.flow, aroundOf(machine))
  if (data.startsAt === null) {
    machine.hasBegun = true
    return
  }
  const dueAt = Date.parse(data.startsAt)
  machine.clock = { number: position, seconds: 0, dueAt, remainingMs: null }
}

function rollDice(machine: Machine, { data: { rolls, round, draw } }: Of<'roll'>): void {
  if (draw !== undefined) machine.draws += rolls.filter((value) => value !== null).length
  for (const [index, value] of rolls.entries()) {
    if (value !== null) seatOf(machine, index + 1).roll = value
  }
  if (round === 1) machine.rolled = null
  machine.rollRound = round
  const top = Math.max(...rolls.map((value) => value ?? 0))
  const best = rolls.flatMap((value, index) => (value === top ? [index + 1] : []))
  const earlier = machine.turn?.rollers ?? null
  if (machine.turn !== null) machine.turn.rollers = best
  if (best.length > 1) {
    machine.rollOrder = orderByRoll(machine, rolls, earlier)
    return
  }
  const [winner] = best
  const order = orderByRoll(machine, rolls, earlier)
  machine.rolled = [winner ?? 1, ...order.filter((seat) => seat !== winner)]
  machine.rollRound = 0
  completeTurn(machine)
}

/** Those who draw again only settle which of them is first; everybody else stays where the first round put them. */
function orderByRoll(
  machine: Machine,
  rolls: readonly (number | null)[],
  again: readonly number[] | null,
): readonly number[] {
  const value = (seat: number) => rolls[seat - 1] ?? 0
  if (again === null) {
    return rolls.map((_, index) => index + 1).toSorted((one, other) => value(other) - value(one))
  }
  const sorted = [...again].sort((one, other) => value(other) - value(one))
  return [...sorted, ...machine.rollOrder.filter((seat) => !again.includes(seat))]
}

function takePlace(machine: Machine, { seat, data }: Of<'choose'>): void {
  const { pair, place } = data
  takeDraw(machine, data)
  // Where nobody's seat chooses, the place is that of the first.
  const own = seat ?? 1
  const other = own === 1 ? 2 : 1
  machine.pairs.set(pair, place === 1 ? [own, other] : [other, own])
  finishSeat(machine, seat)
}

function choose(machine: Machine, row: Of<'protect' | 'ban' | 'pick' | 'random' | 'tiebreaker' | 'lineup'>): void {
  if (row.kind !== 'lineup') takeDraw(machine, row.data)
  const { turn } = machine
  if (turn?.step.secret === true && row.seat !== null && row.kind === turn.action) {
    answer(machine, turn, row)
    return
  }
  if (row.kind === 'lineup') giveLineup(machine, row)
  else applyChoice(machine, row)
  // A map that is drawn for a level one is no turn of its own.
  if (turn === null || turn.action === 'play') return
  finishSeat(machine, row.seat)
}

function lapse(machine: Machine, { seat, data: { policy }, position, at }: Of<'lapse'>): void {
  const { turn, clock } = machine
  if (!machine.hasBegun) {
    machine.hasBegun = true
    machine.clock = null
    return
  }
  const game = openGame(machine)
  if (turn === null || (turn.action === 'play' && game !== null)) {
    if (game !== null) game.isClosed = true
    machine.clock = null
    return
  }
  const key = `${seat ?? 0}:${turn.action}`
  machine.lapses.set(key, (machine.lapses.get(key) ?? 0) + 1)
  const runAgain = () => {
    const seconds = turn.step.seconds ?? clock?.seconds ?? 0
    machine.clock = running(machine, { number: position, seconds, leftMs: seconds * 1_000, at })
  }
  switch (policy) {
    case 'again':
      runAgain()
      return
    case 'random':
      if (seat !== null) turn.drawsFor.add(seat)
      machine.clock = null
      return
    case 'opponent':
      turn.instead = seat
      turn.seats = turn.seats.map((acting) => (acting === seat ? (acting === 1 ? 2 : 1) : acting))
      runAgain()
      return
    case 'hold':
      turn.isHeld = true
      machine.clock = null
      return
    case 'forfeit':
      machine.forfeited.add(key)
      finishSeat(machine, seat)
      return
    case 'lose_map':
      if (seat !== null) machine.losesNext.add(seat)
      finishSeat(machine, seat)
      return
    case 'skip':
      finishSeat(machine, seat)
      return
    case 'proceed':
      machine.clock = null
      if (turn.action === 'break') turn.isElapsed = true
      else finishSeat(machine, seat)
  }
}

function setClock(machine: Machine, { at, data }: Of<'clock'>): void {
  const { clock } = machine
  if (data.op === 'pause') machine.pausedAt = at
  if (data.op === 'resume') machine.pausedAt = null
  if (clock === null) return
  if (clock.number === data.number) {
    clock.dueAt = data.dueAt === null ? null : Date.parse(data.dueAt)
    clock.remainingMs = data.remainingMs
    return
  }
  // The clock of a turn that was undone since: what runs now is paused and goes on with it.
  if (data.op === 'pause') stop(machine, at)
  if (data.op === 'resume') goOn(machine, at)
}

function stop({ clock }: Machine, at: number): void {
  if (clock === null || clock.dueAt === null) return
  clock.remainingMs = Math.max(0, clock.dueAt - at)
  clock.dueAt = null
}

function goOn({ clock }: Machine, at: number): void {
  if (clock === null || clock.remainingMs === null) return
  clock.dueAt = at + clock.remainingMs
  clock.remainingMs = null
}

function callTimeout(machine: Machine, { seat, data }: Of<'timeout'>): void {
  if (seat !== null) seatOf(machine, seat).timeouts += 1
  if (machine.clock?.number === data.number) machine.clock.dueAt = Date.parse(data.dueAt)
}

/** What is undone gets the time back that was left when it was done. (match-flows: Clocks, line-ups, scores) */
function giveTimeBack(machine: Machine, { position, at, data: { of } }: Of<'undo'>): void {
  const { clock } = machine
  // Not what is left by now: the session may have been paused and resumed since.
  const leftMs = machine.leftBefore.get(of[0] ?? 0)
  if (clock === null || leftMs === undefined) return
  machine.clock = running(machine, { number: position, seconds: clock.seconds, leftMs, at })
}

/** A row that was undone does nothing, but what was left of the clock when it was written is given back. */
export function passOver(machine: Machine, { position, at }: Row): void {
  machine.position = position
  if (machine.clock !== null) machine.leftBefore.set(position, leftBack(machine.clock, at))
}

function leftBack({ dueAt, remainingMs }: Clock, at: number): number {
  return Math.max(leastTimeBackMs, dueAt === null ? (remainingMs ?? 0) : dueAt - at)
}

function gameNumbered({ games }: Machine, number: number): Game | undefined {
  return games.find((game) => game.game === number && !game.isGone)
}

function runOf(game: Game | undefined, chain: number, run: number): Run | undefined {
  return game?.chains[chain - 1]?.runs[run - 1]
}

function takeScores(machine: Machine, { data }: Of<'scores'>): void {
  const game = gameNumbered(machine, data.game)
  const run = runOf(game, data.chain, data.run)
  if (game === undefined || run === undefined) return
  for (const report of data.scores) run.scores.push(scoreOf(machine, game, run, data.chain, report))
  run.replaying = run.replaying.filter(
    (seat) => !(run.lineups[seat - 1] ?? []).every((user) => hasScore(run, seat, user)),
  )
  if (data.complete) {
    run.isClosed = true
    run.replaying = []
  }
}

function scoreOf(machine: Machine, game: Game, run: Run, chain: number, report: ScoreReport): Score {
  const inLineup = run.lineups.findIndex((lineup) => lineup.includes(report.user))
  const inTeam = machine.start.teams.findIndex(({ members }) => members.includes(report.user))
  const seat = (inLineup === -1 ? inTeam : inLineup) + 1
  const base = { ...report, seat, chain, run: run.run }
  if (inLineup === -1) return { ...base, counts: false, why: 'not_in_lineup' }
  if (report.map !== game.map) return { ...base, counts: false, why: 'wrong_map' }
  const isSecond = run.scores.some((score) => score.counts && score.seat === seat && score.user === report.user)
  return isSecond ? { ...base, counts: false, why: 'second_report' } : { ...base, counts: true, why: null }
}

function correctScore(machine: Machine, { data: { score: guid, after } }: Of<'score_corrected'>): void {
  for (const game of machine.games) {
    for (const { runs } of game.chains) {
      for (const { scores } of runs) {
        const index = scores.findIndex((score) => score.guid === guid)
        const score = scores[index]
        if (score !== undefined) scores[index] = { ...score, ...after }
      }
    }
  }
}

function claim(machine: Machine, { by, at, data }: Of<'claim'>): void {
  const game = openGame(machine)
  const chain = game?.chains.at(-1)
  const last = chain?.runs.at(-1)
  const { clock } = machine
  const leftMs = clock === null ? 0 : leftBack(clock, at)
  machine.claims.push({ ...data.claim, by, at, status: 'open', leftMs })
  if (game === null || chain === undefined || last === undefined) return
  chain.runs.push(newRun(last.run + 1, last.lineups, { seat: data.claim.seat, user: data.claim.user }))
  game.hasWindow = false
  game.accepted.clear()
  machine.clock = null
}

function cancelClaim(machine: Machine, { position, at, data }: Of<'claim_cancelled'>): void {
  const found = machine.claims.find(({ guid }) => guid === data.claim.guid)
  if (found === undefined) return
  found.status = 'cancelled'
  const game = openGame(machine)
  const chain = game?.chains.at(-1)
  const last = chain?.runs.at(-1)
  // The map may have been lost, or another set in its place, while the replay was awaited.
  if (game === null || game.game !== found.game || chain?.chain !== found.chain) return
  if (last === undefined || last.claimedBy === null || last.run !== found.run + 1) return
  chain.runs.pop()
  const { windowSeconds } = machine.flow.rules.replays
  game.hasWindow = true
  machine.clock = running(machine, { number: position, seconds: windowSeconds, leftMs: found.leftMs, at })
}

/** The seats play the run again; a map that was final is played again as a turn of its own. */
function playAgain(machine: Machine, { at, data }: Of<'technical'>): void {
  machine.technicals.push({ guid: data.guid, seats: data.seats })
  const game = gameNumbered(machine, data.game)
  const run = game?.chains.at(-1)?.runs.at(-1)
  if (game === undefined || run === undefined) return
  if (game.isFinal) putOff(machine)
  for (const [index, score] of run.scores.entries()) {
    if (data.seats.includes(score.seat) && (score.counts || score.why === 'wrong_map')) {
      run.scores[index] = { ...score, counts: false, why: 'technical' }
    }
  }
  run.replaying = [...new Set([...run.replaying, ...data.seats])]
  run.better = data.counts === 'better'
  game.hasWindow = false
  game.isClosed = false
  game.accepted.clear()
  if (!game.isFinal) {
    machine.clock = null
    return
  }
  game.isFinal = false
  game.finalPosition = null
  game.finalAt = null
  // Whoever has answered already need not do so again.
  stop(machine, at)
  const { turn, clock } = machine
  if (turn !== null && turn.action !== 'play' && !isUntouched(turn)) machine.suspended = { turn, clock }
  machine.turn = null
  machine.clock = null
}

/** The next map, which is up and was not played yet, waits in the play order. */
function putOff(machine: Machine): void {
  const open = openGame(machine)
  const index = machine.order.findLastIndex(({ isPlayed }) => isPlayed)
  const entry = machine.order[index]
  if (open === null || open.map === null || entry === undefined) return
  machine.games.splice(machine.games.indexOf(open), 1)
  machine.order[index] = { ...entry, map: open.map, isPlayed: false }
  for (const seat of open.lostBy) machine.losesNext.add(seat)
  const isTiebreaker = machine.picksBans.some(({ mapGuid, kind }) => mapGuid === open.map && kind === 'tiebreaker')
  const map = machine.maps.get(open.map)
  if (map !== undefined) Object.assign(map, { state: isTiebreaker ? 'tiebreaker' : 'picked', game: null })
}

function override(machine: Machine, row: Of<'override'>): void {
  const { data, seat, map } = row
  switch (data.op) {
    case 'set_map':
      if (map !== null) setMap(machine, map)
      return
    case 'award_map': {
      const game = gameNumbered(machine, data.game)
      if (game !== undefined) Object.assign(game, { awarded: data.winner, isVoid: false, told: null })
      return
    }
    case 'void_map': {
      const game = gameNumbered(machine, data.game)
      if (game !== undefined) Object.assign(game, { awarded: null, isVoid: true, told: null })
      return
    }
    case 'go_to':
      machine.cursor = jump(machine.flow, data.step, aroundOf(machine)) ?? machine.cursor
      machine.turn = null
      machine.clock = null
      return
    case 'skip':
      completeTurn(machine)
      return
    case 'add_map':
      machine.pool.push(data.entry)
      machine.maps.set(data.entry.guid, { state: 'available', seat: null, game: null, protectedBy: [] })
      return
    case 'substitute':
      substitute(machine, seat ?? 0, data.out, data.in)
      return
    case 'speakers':
      if (seat !== null) seatOf(machine, seat).speakers = data.users
      return
    case 'redraw':
      for (const draw of data.draws) machine.redraws.set(draw, (machine.redraws.get(draw) ?? 0) + 1)
      return
    case 'end_flow': {
      machine.isByHand = true
      const game = openGame(machine)
      if (game !== null) game.isGone = true
      machine.turn = null
      machine.clock = null
      return
    }
    case 'dismiss':
      machine.dismissed.add(data.warning)
  }
}

/** Of the map that is played, or in the place of a choice that somebody was to make. */
function setMap(machine: Machine, guid: string): void {
  const game = openGame(machine)
  machine.pickFlair = null
  if (game === null) {
    machine.order.push({ map: guid, seat: null, isPlayed: false })
    machine.maps.set(guid, { ...mapState(machine, guid), state: 'picked', seat: null })
    machine.picksBans.push({ flowOrder: machine.picksBans.length + 1, mapGuid: guid, seat: null, kind: 'pick' })
    if (machine.turn !== null && machine.turn.action !== 'play') completeTurn(machine)
    return
  }
  if (game.map !== null)
    machine.maps.set(game.map, { ...mapState(machine, game.map), state: 'available', seat: null, game: null })
  game.map = guid
  machine.maps.set(guid, { ...mapState(machine, guid), state: 'playing', game: game.game })
  const run = game.chains.at(-1)?.runs.at(-1)
  game.chains.splice(0, game.chains.length, { chain: 1, runs: [newRun(1, run?.lineups ?? [], null)] })
  Object.assign(game, { hasWindow: false, isClosed: false, awarded: null })
  game.accepted.clear()
  game.passed.clear()
  machine.clock = null
}

function mapState({ maps }: Machine, guid: string) {
  return maps.get(guid) ?? { state: 'available' as const, seat: null, game: null, protectedBy: [] }
}

function substitute(machine: Machine, number: number, out: string, replacement: string): void {
  const swap = (users: readonly string[]) => users.map((user) => (user === out ? replacement : user))
  const seat = seatOf(machine, number)
  if (seat.lineup !== null) seat.lineup = swap(seat.lineup)
  const run = openGame(machine)?.chains.at(-1)?.runs.at(-1)
  if (run === undefined) return
  run.lineups = run.lineups.map((lineup, index) => (index === number - 1 ? swap(lineup) : lineup))
  seat.lineup = run.lineups[number - 1] ?? seat.lineup
}

/** What a match's own operations said of a map is how it ended. */
function tellMap(machine: Machine, row: Of<'map_told'>): void {
  const { data, map } = row
  machine.isReopened = false
  const told = { game: data.game, winner: data.winner, totals: data.totals }
  const known = gameNumbered(machine, data.game)
  if (known !== undefined) {
    Object.assign(known, { told, awarded: null, isVoid: false })
    return
  }
  const game = newGame(data.game, map, null, [])
  machine.games.push({ ...game, told })
}

function finish(machine: Machine, { data }: Of<'finish'>): void {
  const { ending } = machine
  if (ending === null) machine.ending = { winner: data.winner, by: 'finish', isFinished: true }
  else machine.ending = { ...ending, isFinished: true }
  machine.finishedFor = data.winner
}
