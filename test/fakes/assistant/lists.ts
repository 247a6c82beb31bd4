import { randomUUID } from 'node:crypto'
import { create } from '@bufbuild/protobuf'
import {
  Tournament_TournamentSettings_PoolSchema as PoolSchema,
  type QualifierEvent,
  type Tournament,
} from '../../../src/infra/clients/assistant/generated/models_pb.ts'
import type { Request } from '../../../src/infra/clients/assistant/generated/requests_pb.ts'
import { type Answer, answer, type Desk } from './desk.ts'
import { adopted } from './maps.ts'
import { seeHiddenScores } from './permissions.ts'
import { areHidden, type Boards } from './qualifiers.ts'
import type { Peer, Room } from './world.ts'

/** Requests about qualifiers, their boards, and pools. */

export function ofQualifier(desk: Desk, peer: Peer, room: Room, type: Request['type']): Answer | null {
  const { world, boards } = desk
  const { tournament } = room
  const eventIn = (guid: string) => tournament.qualifiers.find((event) => event.guid === guid)
  const missing = answer(false, { case: 'updateQualifierEvent', value: { message: 'The qualifier does not exist' } })
  switch (type.case) {
    case 'qualifierScores': {
      const event = eventIn(type.value.eventId)
      if (event === undefined) return missing
      const isShown = !areHidden(event) || world.may(peer.identity, seeHiddenScores, room)
      const scores = isShown ? boards.board(event, type.value.mapId) : []
      return answer(true, { case: 'leaderboardEntries', value: { scores } })
    }
    case 'submitQualifierScore': {
      const { qualifierScore: entry, map } = type.value
      const event = eventIn(entry?.eventId ?? '')
      if (event === undefined || entry === undefined) return missing
      submit(desk, tournament, event, entry, map)
      return answer(true, { case: 'leaderboardEntries', value: { scores: boards.board(event, entry.mapId) } })
    }
    case 'remainingAttempts': {
      const { eventId, mapId } = type.value
      const allowed = eventIn(eventId)?.qualifierMaps.find(({ guid }) => guid === mapId)?.gameplayParameters?.attempts
      const made = boards.rows(eventId, mapId).filter(({ platformId }) => platformId === peer.identity.platformId)
      return answer(true, { case: 'remainingAttempts', value: { remainingAttempts: (allowed ?? 0) - made.length } })
    }
    case 'refundAttempts': {
      const { eventId, mapId, platformId, count } = type.value
      const event = eventIn(eventId)
      if (event === undefined) return answer(false, { case: 'refundAttempts', value: { message: 'No such qualifier' } })
      boards.refund(event, mapId, platformId, count)
      return answer(true, { case: 'refundAttempts', value: {} })
    }
    case 'addQualifierMaps':
    case 'updateQualifierMap':
    case 'removeQualifierMap': {
      const event = eventIn(type.value.qualifierId)
      if (event === undefined) return missing
      changeMaps(event, 'qualifierMaps', type)
      world.tellQualifier(tournament, event)
      return answer(true, { case: 'updateQualifierEvent', value: { qualifier: event } })
    }
    default:
      return null
  }
}

/** Saves a row, and notifies everybody. */
export function submit(
  { world, boards }: Desk,
  { guid: tournamentId }: Tournament,
  event: QualifierEvent,
  qualifierScore: Parameters<Boards['submit']>[0],
  given?: NonNullable<QualifierEvent['qualifierMaps'][number]['gameplayParameters']>,
): void {
  boards.submit(qualifierScore)
  const known = event.qualifierMaps.find(({ guid }) => guid === qualifierScore.mapId)?.gameplayParameters
  const map = given ?? known
  const value = { tournamentId, event, qualifierScore, ...(map === undefined ? {} : { map }) }
  world.tell(tournamentId, { case: 'push', value: { data: { case: 'qualifierScoreSubmtited', value } } })
}

export function ofPool({ world }: Desk, peer: Peer, { tournament }: Room, type: Request['type']): Answer {
  const nothing = answer(false, { case: undefined })
  const { settings } = tournament
  if (settings === undefined) return nothing
  const done = () => {
    world.tellTournament(tournament)
    return answer(true, { case: 'updateTournament', value: { tournament: world.shown(peer.identity, tournament) } })
  }
  if (type.case === 'addTournamentPool') {
    const { name = '', image = '', maps = [] } = type.value.pool ?? {}
    settings.pools.push(create(PoolSchema, { guid: randomUUID(), name, image, maps: maps.map(adopted) }))
    return done()
  }
  if (type.case === undefined || !('poolId' in type.value)) return nothing
  const { poolId } = type.value
  const pool = settings.pools.find(({ guid }) => guid === poolId)
  if (pool === undefined) return answer(false, { case: 'updateTournament', value: { message: 'No such pool' } })
  switch (type.case) {
    case 'setTournamentPoolName':
      pool.name = type.value.poolName
      return done()
    case 'removeTournamentPool':
      settings.pools = settings.pools.filter((other) => other !== pool)
      return done()
    case 'addTournamentPoolMaps':
    case 'updateTournamentPoolMap':
    case 'removeTournamentPoolMap':
      changeMaps(pool, 'maps', type)
      return done()
    default:
      return nothing
  }
}

type MapsChange = Extract<
  Request['type'],
  {
    case:
      | 'addQualifierMaps'
      | 'updateQualifierMap'
      | 'removeQualifierMap'
      | 'addTournamentPoolMaps'
      | 'updateTournamentPoolMap'
      | 'removeTournamentPoolMap'
  }
>

function changeMaps<Member extends string>(
  list: Record<Member, QualifierEvent['qualifierMaps']>,
  member: Member,
  { value }: MapsChange,
): void {
  if ('maps' in value) list[member].push(...value.maps.map(adopted))
  else if ('mapId' in value) list[member] = list[member].filter(({ guid }) => guid !== value.mapId)
  else {
    const { map } = value
    if (map !== undefined) list[member] = list[member].map((old) => (old.guid === map.guid ? map : old))
  }
}
