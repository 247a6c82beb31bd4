import { type Static, Type } from 'typebox'
import { Guid, Instant, NextCursor, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import { streamProtocols } from '../../../infra/clients/media-servers/types.ts'
import { UserCard } from '../../people/users/views.ts'
import { streamRoles } from '../streamAssignments/types.ts'
import { playOf } from '../streamServers/rules/watching.ts'
import type { Play } from '../streamServers/types.ts'
import { HealthView, PlayView } from '../streamServers/views.ts'
import { embedUrl } from './rules.ts'
import type { Shown } from './store/watching.ts'
import { endReasons, type Health, type StreamSession } from './types.ts'

const nowhere: Play = { whep: null, llhls: null, hls: null }

export const SessionView = Type.Object(
  {
    guid: Guid,
    user: UserCard,
    server: Type.Object({ guid: Guid, name: Type.String() }),
    protocol: oneOf(streamProtocols),
    path: Type.String({ examples: ['live/4f0c6a0e-5d0b-4f5c-9a53-6f0f0e6f6f11'] }),
    assignment: nullable(Guid, 'By which the stream was let in.'),
    test: Type.Boolean({ description: 'Let in without an assignment, for ten minutes, to try things out.' }),
    startedAt: Instant,
    endedAt: nullable(Instant),
    endReason: nullable(oneOf(endReasons)),
    cut: nullable(oneOf(['requested', 'confirmed', 'failed']), 'What has become of asking the server to end it.'),
    health: nullable(HealthView),
    address: nullable(Type.String(), 'Of the publisher, for 30 days; for owners and developers alone.'),
  },
  { title: 'StreamSession', description: 'A stream that was published to a media server.' },
)
export type SessionView = Static<typeof SessionView>

export const SessionPage = Type.Object({ streamSessions: Type.Array(SessionView), nextCursor: NextCursor })

export interface SessionFacts {
  readonly user: UserCard
  readonly serverName: string
  readonly health: Health | null
  /** Whether the viewer may see the publisher's network address. */
  readonly isAddressShown: boolean
}

export function sessionView(
  session: StreamSession,
  { user, serverName, health, isAddressShown }: SessionFacts,
): SessionView {
  const { guid, protocol, path, test, endReason, cut } = session
  return {
    guid,
    user,
    protocol,
    path,
    test,
    endReason,
    cut,
    server: { guid: session.serverGuid, name: serverName },
    assignment: session.assignmentGuid,
    startedAt: formatInstant(session.startedAt),
    endedAt: formatInstant(session.endedAt),
    health: health === null || session.endedAt !== null ? null : { ...health, at: formatInstant(health.at) },
    address: isAddressShown ? session.address : null,
  }
}

export const StreamView = Type.Object(
  {
    user: UserCard,
    role: oneOf(streamRoles),
    side: nullable(Type.Integer({ minimum: 1, maximum: 2 })),
    slot: Type.Integer({ minimum: 1, maximum: 6 }),
    match: nullable(Type.Object({ guid: Guid, number: Type.Integer() }), 'null for the whole tournament.'),
    live: nullable(Type.Boolean(), 'null where the user has a channel elsewhere, of which it is not known.'),
    since: nullable(Instant),
    play: PlayView,
    fallback: nullable(
      Type.Object({ embedUrl: Type.String(), channel: Type.String() }),
      'The channel on the streaming site, while there is no stream of our own.',
    ),
    test: Type.Optional(
      nullable(
        Type.Object({ since: Instant, play: PlayView }),
        'For staff: the test that the user sends at the moment. To watch it, add `?view=` and the token of your stream settings.',
      ),
    ),
  },
  { title: 'TournamentStream' },
)
export type StreamView = Static<typeof StreamView>

export const StreamList = Type.Object({ streams: Type.Array(StreamView) })

export interface StreamFacts {
  readonly user: UserCard
  /** The user's live stream and its play addresses. */
  readonly live: { readonly session: StreamSession; readonly play: Play } | null
  /** The user's live test, for staff; undefined for all other viewers. */
  readonly test?: StreamFacts['live']
  readonly publicUrl: string
}

/** A user's stream in a tournament; without one, the user's channel on the streaming site. (S12) */
export function streamView(
  { role, side, slot, match }: Shown,
  { user, live, test, publicUrl }: StreamFacts,
): StreamView {
  const { streamingName: channel } = user
  const fallback = live !== null || channel === null ? null : { embedUrl: embedUrl(channel, publicUrl), channel }
  return {
    user,
    role,
    side,
    slot,
    match,
    fallback,
    live: live !== null ? true : fallback === null ? false : null,
    ...watchedView(live),
    ...(test === undefined ? {} : { test: test === null ? null : testView(test) }),
  }
}

function watchedView(live: StreamFacts['live']) {
  if (live === null) return { since: null, play: nowhere }
  const { since, play } = testView(live)
  return { since, play }
}

function testView({ session, play }: NonNullable<StreamFacts['live']>) {
  return { since: formatInstant(session.startedAt), play: playOf(play, session.path) }
}

export const UserStreamView = Type.Object(
  {
    live: Type.Boolean(),
    since: nullable(Instant),
    path: nullable(Type.String()),
    play: PlayView,
  },
  { title: 'UserStream' },
)

export function userStreamView(live: StreamFacts['live']): Static<typeof UserStreamView> {
  return { live: live !== null, path: live?.session.path ?? null, ...watchedView(live) }
}
