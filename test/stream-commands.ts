import type { Harness } from './harness.ts'
import type { MadeTournament } from './make.ts'
import { makeAssignment, makeStreamServer } from './streaming.ts'

/** Targets and inputs for the commands of streaming. */
export async function streamCommands(api: Harness, cup: MadeTournament, match: string) {
  const [created, updated, cancelled, replaced, live, server] = await Promise.all([
    ...([api.user(), api.user(), api.user(), api.user(), api.user()] as const),
    makeStreamServer(api),
  ])
  const assigned = (user: { guid: string }) => makeAssignment(api, cup, user, { role: 'observer', from: 100, to: 200 })
  const [toUpdate, toCancel] = await Promise.all([assigned(updated), assigned(cancelled)])
  const [made] = await api.sql<Record<'session' | 'channel', string>>(
    `with session as (
       insert into stream_sessions (user_guid, server_guid, protocol, path, tournament_guid, test)
       values ($1, $2, 'rtmp', 'live/' || $1::uuid, $3, false) returning guid),
     list as (insert into channel_lists (tournament_guid, revision) values ($3, 1)),
     channel as (
       insert into channels (tournament_guid, name, url, delay_seconds, position)
       values ($3, 'Main', 'https://live.example.org/main', 0, 0) returning guid)
     select session.guid as session, channel.guid as channel from session, channel`,
    [live.guid, server.guid, cup.guid],
  )
  const { session = '', channel = '' } = made ?? {}
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  const observer = (user: { guid: string }) => ({
    user: user.guid,
    role: 'observer',
    startsAt: at(100),
    endsAt: at(200),
  })
  const main = { guid: channel, name: 'Main stream', url: 'https://live.example.org/main' }
  return {
    'streamAssignments.create': { body: observer(created) },
    'streamAssignments.update': { at: { assignment: toUpdate }, body: { note: 'Second camera.' } },
    'streamAssignments.cancel': { at: { assignment: toCancel } },
    'streamAssignments.replaceOfMatch': { at: { match }, body: { assignments: [observer(replaced)] } },
    'streamSessions.cut': { at: { streamSession: session }, body: { reason: 'Wrong account.' } },
    'channels.replace': { body: { channels: [main], revision: 1 } },
    'channels.replaceQueue': { at: { channel }, body: { entries: [{ match, status: 'next' }], revision: 0 } },
  }
}
