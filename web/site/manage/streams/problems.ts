import type { Match, StreamAssignment } from '../../../../client/generated.ts'
import type { StreamSession, StreamSettings } from '../../data/generated.ts'
import { words } from '../../data/words.ts'
import type { Health } from './reads.ts'

/** What somebody has to look at now, the oldest first. */

export interface Problem {
  readonly key: string
  readonly text: string
  readonly detail: string
  readonly since: string | null
  readonly tone: 'alert' | 'warning'
}

interface Seen {
  readonly servers: StreamSettings['watch']
  readonly assignments: readonly StreamAssignment[]
  readonly sessions: readonly StreamSession[]
  readonly health: ReadonlyMap<string, Health>
  readonly matches: readonly Match[]
}

/** What an encoder should send at least; measured rates are never quite the rate that is sent. */
const least = { height: 720, fps: 27 }

export const isWeak = ({ height, fps }: Health): boolean =>
  (height !== null && height < least.height) || (fps !== null && fps < least.fps)

/** "1280 × 720, 60 frames/s, 5,980 kbit/s", as far as the server says it. */
export function healthWords({ width, height, fps, videoKbps, readers }: Health): string {
  const parts = [
    ...(width == null || height == null ? [] : [`${width} × ${height}`]),
    ...(fps == null ? [] : [words('streams.fps', { fps: Math.round(fps) })]),
    ...(videoKbps == null ? [] : [words('streams.kbps', { kbps: Math.round(videoKbps) })]),
    ...(readers == null ? [] : [words('streams.readers', { readers })]),
  ]
  return parts.join(', ')
}

export function problemsOf({ servers, assignments, sessions, health, matches }: Seen): readonly Problem[] {
  const isLive = new Set(sessions.filter(({ endedAt, test }) => endedAt === null && !test).map(({ user }) => user.guid))
  const running = new Map(matches.filter(({ status }) => status === 'running').map((match) => [match.guid, match]))
  const failing = servers
    .filter(({ state }) => state === 'failing')
    .map(
      ({ server }): Problem => ({
        key: `server ${server.guid}`,
        text: words('streams.server-fails', { name: server.name }),
        detail: words('streams.server-fails-what'),
        since: null,
        tone: 'alert',
      }),
    )
  const missing = assignments.flatMap((each): readonly Problem[] => {
    const match = each.match === null ? undefined : running.get(each.match.guid)
    // The channel of a user elsewhere is not known to be live or not.
    if (match === undefined || isLive.has(each.user.guid) || each.user.streamingName !== null) return []
    return [
      {
        key: `missing ${each.guid}`,
        text: words('streams.not-live', { name: each.user.preferredName, role: each.role }),
        detail: words('streams.match-runs', { number: match.number }),
        since: match.startedAt,
        tone: 'alert',
      },
    ]
  })
  const poor = sessions.flatMap((session): readonly Problem[] => {
    const now = health.get(session.guid) ?? session.health
    if (session.cut === 'failed')
      return [
        {
          key: `cut ${session.guid}`,
          text: words('streams.cut-failed', { name: session.user.preferredName }),
          detail: words('streams.cut-failed-what', { server: session.server.name }),
          since: session.endedAt,
          tone: 'alert',
        },
      ]
    if (session.endedAt !== null || now === null || !isWeak(now)) return []
    return [
      {
        key: `weak ${session.guid}`,
        text: words('streams.weak', { name: session.user.preferredName }),
        detail: healthWords(now),
        since: session.startedAt,
        tone: 'warning',
      },
    ]
  })
  return [...failing, ...missing, ...poor].toSorted(
    (one, other) =>
      Number(one.tone === 'warning') - Number(other.tone === 'warning') ||
      (one.since ?? '').localeCompare(other.since ?? ''),
  )
}
