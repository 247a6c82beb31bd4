import { jump } from './cursor.ts'
import { aroundOf } from './legal-maps.ts'
import { type Machine, type MapState, openGame, seatOf, untouchedMap } from './machine.ts'
import type { Of } from './rows.ts'
import { gameNumbered } from './runs.ts'
import { completeTurn, newRun } from './turns.ts'

/** Applies the overrides of referees. (match-flows: Operations) */

export function override(machine: Machine, row: Of<'override'>): void {
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
      machine.maps.set(data.entry.guid, untouchedMap(data.entry))
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

/** Sets a map: it replaces the open map, or it is the choice of the present turn. */
function setMap(machine: Machine, guid: string): void {
  const game = openGame(machine)
  machine.pickFlair = null
  if (game === null) {
    machine.order.push({ map: guid, seat: null, isPlayed: false })
    setMapState(machine, guid, { state: 'picked', seat: null })
    machine.picksBans.push({ flowOrder: machine.picksBans.length + 1, mapGuid: guid, seat: null, kind: 'pick' })
    if (machine.turn !== null && machine.turn.action !== 'play') completeTurn(machine)
    return
  }
  if (game.map !== null) setMapState(machine, game.map, { state: 'available', seat: null, game: null })
  Object.assign(game, { map: guid, began: machine.position })
  setMapState(machine, guid, { state: 'playing', game: game.game })
  const run = game.chains.at(-1)?.runs.at(-1)
  game.chains.splice(0, game.chains.length, { chain: 1, runs: [newRun(1, run?.lineups ?? [], null)] })
  Object.assign(game, { hasWindow: false, isClosed: false, awarded: null })
  game.accepted.clear()
  game.passed.clear()
  machine.clock = null
}

function setMapState({ maps }: Machine, guid: string, change: Partial<Omit<MapState, 'entry'>>): void {
  const map = maps.get(guid)
  if (map !== undefined) Object.assign(map, change)
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
