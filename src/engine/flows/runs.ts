import { leftBack, stop } from './clock-rows.ts'
import { type Game, isAbout, type Machine, openGame } from './machine.ts'
import { hasScore, type Run, type Score } from './map-winner.ts'
import { seatOfPlayer } from './players.ts'
import type { Of, ScoreReport } from './rows.ts'
import { addGame, isUntouched, newGame, newRun, running } from './turns.ts'

/** Applies rows to the maps that are played: scores, replays, and results entered by hand. */

export function gameNumbered({ games }: Machine, number: number): Game | undefined {
  return games.find((game) => game.game === number && !game.isGone)
}

export function runOf(game: Game | undefined, chain: number, run: number): Run | undefined {
  return game?.chains[chain - 1]?.runs[run - 1]
}

export function takeScores(machine: Machine, { data, position }: Of<'scores'>): void {
  const game = gameNumbered(machine, data.game)
  const run = runOf(game, data.chain, data.run)
  if (game === undefined || run === undefined) return
  for (const report of data.scores) {
    run.scores.push(scoreOf(machine, game, run, data.chain, report))
    machine.reportedAt.set(report.guid, position)
  }
  run.replaying = run.replaying.filter(
    (seat) => !(run.lineups[seat - 1] ?? []).every((user) => hasScore(run, seat, user)),
  )
  if (data.complete) {
    run.isClosed = true
    run.replaying = []
  }
}

export function scoreOf(machine: Machine, game: Game, run: Run, chain: number, report: ScoreReport): Score {
  const inLineup = run.lineups.findIndex((lineup) => lineup.includes(report.user))
  const inTeam = machine.start.teams.findIndex(({ members }) => members.includes(report.user))
  const seat = seatOfPlayer(report.user) ?? (inLineup === -1 ? inTeam : inLineup) + 1
  const base = { ...report, seat, chain, run: run.run }
  if (inLineup === -1) return { ...base, counts: false, why: 'not_in_lineup' }
  if (report.map !== game.map) return { ...base, counts: false, why: 'wrong_map' }
  const isSecond = run.scores.some((score) => score.counts && score.seat === seat && score.user === report.user)
  return isSecond ? { ...base, counts: false, why: 'second_report' } : { ...base, counts: true, why: null }
}

export function correctScore(machine: Machine, { data: { score: guid, after } }: Of<'score_corrected'>): void {
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

export function claim(machine: Machine, { by, at, data }: Of<'claim'>): void {
  const game = openGame(machine)
  const chain = game?.chains.at(-1)
  const last = chain?.runs.at(-1)
  const { clock } = machine
  const leftMs = clock === null ? 0 : leftBack(clock, at)
  machine.claims.push({ ...data.claim, by, at, status: 'open', began: game?.began ?? null, leftMs })
  if (game === null || chain === undefined || last === undefined) return
  chain.runs.push(newRun(last.run + 1, last.lineups, { seat: data.claim.seat, user: data.claim.user }))
  game.hasWindow = false
  game.accepted.clear()
  machine.clock = null
}

export function cancelClaim(machine: Machine, { position, at, data }: Of<'claim_cancelled'>): void {
  const found = machine.claims.find(({ guid }) => guid === data.claim.guid)
  if (found === undefined) return
  found.status = 'cancelled'
  const game = openGame(machine)
  const chain = game?.chains.at(-1)
  const last = chain?.runs.at(-1)
  // The map may have been lost or replaced before the replay was played.
  if (game === null || !isAbout(found, game) || chain?.chain !== found.chain) return
  if (last === undefined || last.claimedBy === null || last.run !== found.run + 1) return
  chain.runs.pop()
  const { windowSeconds } = machine.flow.rules.replays
  game.hasWindow = true
  machine.clock = running(machine, { number: position, seconds: windowSeconds, leftMs: found.leftMs, at })
}

/**
 * Records a penalty. It is tied to the map that is played under the number of its game. Old rows have no chain: a run
 * that they name belongs to the chain that is current at that row, and without a game they answer the warnings of the
 * open map.
 */
export function penalise(machine: Machine, { by, at, position, data: { penalty } }: Of<'penalty'>): void {
  const isOld = penalty.chain === undefined
  const game =
    penalty.game === null ? ((isOld ? openGame(machine) : null) ?? undefined) : gameNumbered(machine, penalty.game)
  const { chain = penalty.run === null ? null : currentChain(game) } = penalty
  machine.penalties.push({ ...penalty, chain, position, began: game?.began ?? null, by, at, voidedAt: null })
}

/** Number of the last chain of a game; 1 for a game that has not begun. */
export function currentChain(game: Game | undefined): number {
  return Math.max(1, game?.chains.length ?? 0)
}

/** The seats play the run again. A final map is opened again, and has a turn of its own. */
export function playAgain(machine: Machine, { at, data }: Of<'technical'>): void {
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
  // The present turn is kept, so that seats that have answered need not answer again.
  stop(machine, at)
  const { turn, clock } = machine
  if (turn !== null && turn.action !== 'play' && !isUntouched(turn)) machine.suspended = { turn, clock }
  machine.turn = null
  machine.clock = null
}

/** Puts the open map, which was not played yet, back into the play order. */
export function putOff(machine: Machine): void {
  const open = openGame(machine)
  const index = machine.order.findLastIndex(({ isPlayed }) => isPlayed)
  const entry = machine.order[index]
  if (open === null || open.map === null || entry === undefined) return
  machine.games.splice(machine.games.indexOf(open), 1)
  for (const penalty of machine.penalties) if (isAbout(penalty, open)) penalty.began = null
  machine.order[index] = { ...entry, map: open.map, isPlayed: false }
  for (const seat of open.lostBy) machine.losesNext.add(seat)
  const isTiebreaker = machine.picksBans.some(({ mapGuid, kind }) => mapGuid === open.map && kind === 'tiebreaker')
  const map = machine.maps.get(open.map)
  if (map !== undefined) Object.assign(map, { state: isTiebreaker ? 'tiebreaker' : 'picked', game: null })
}

/** Sets the result of a map as the match's own operations entered it. */
export function reportMap(machine: Machine, row: Of<'map_told'>): void {
  const { data, map } = row
  machine.isReopened = false
  const told = { game: data.game, winner: data.winner, totals: data.totals }
  const known = gameNumbered(machine, data.game)
  if (known !== undefined) {
    Object.assign(known, { told, awarded: null, isVoid: false })
    return
  }
  addGame(machine, { ...newGame(data.game, machine.position, map, null, []), told })
}
