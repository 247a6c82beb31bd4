import type { FollowerState } from '../events/positions.ts'
import type { Advice, Check, DatabaseState, Process, QueueState, Room, Verdict } from './types.ts'

/** From which number on something is wrong, and what to do then. */

const toleratedSkewMs = 2_000
const minFreeBytes = 1024 ** 3
const minFreeShare = 0.05
/** Followers handle events within a second; when no process of the service runs, events wait longer. */
const toleratedLagSeconds = 300
/** A receiver that is down for a moment is tried again before this. */
const toleratedWaitSeconds = 900
const nearlyAll = 0.9
/** Calls that were refused earlier than this are only counted. */
const recentMs = 3_600_000

const sections = { watch: 'What to watch', disk: 'The disk is full', database: 'The database is gone' } as const

/** @param advice what to do unless all is well */
export function checked(verdict: Verdict, what: string, detail: string, advice: Advice): Check {
  return { verdict, what, detail, advice: verdict === 'ok' ? null : advice }
}

export function databaseChecks({ version, clients, maxClients, skewMs }: DatabaseState): readonly Check[] {
  const isNew = Number.parseInt(version, 10) >= 15
  const isFull = clients >= maxClients * nearlyAll
  const verdict = isNew ? (isFull ? 'warn' : 'ok') : 'FAIL'
  return [
    checked(
      verdict,
      'database',
      `PostgreSQL ${version}, ${clients} of ${maxClients} connections${isNew ? '' : '; 15 or later is needed'}`,
      {
        text: isNew
          ? 'Nearly all connections are in use: raise max_connections of PostgreSQL, or end what else connects to it.'
          : 'Install PostgreSQL 15 or later, and restore a backup into it.',
        section: sections.watch,
      },
    ),
    checked(skewMs <= toleratedSkewMs ? 'ok' : 'FAIL', 'clock', `${skewMs} ms away from the database’s`, {
      text: 'Let both machines set their clocks by the network: deadlines and turns are judged by them.',
      section: sections.watch,
    }),
  ]
}

export function followerCheck({ name, behind, behindSeconds, setAside, lastSetAside }: FollowerState): Check {
  const what = `events for ${name}`
  if (lastSetAside !== null) {
    const { seq, type, error } = lastSetAside
    return checked(
      'warn',
      what,
      `${setAside} could not be handled, the last of them ${type}, number ${seq} (${error})`,
      {
        text: 'The log of the service names the fault. What was set aside is tried again at each start, so restart a version that has the fault mended.',
        section: sections.watch,
      },
    )
  }
  return checked(
    behindSeconds > toleratedLagSeconds ? 'warn' : 'ok',
    what,
    behind === 0 ? 'all handled' : `${behind} wait, for ${Math.round(behindSeconds)} s`,
    {
      text: 'What follows from changes is late. Look at the log of the service for what stops it, then restart it.',
      section: sections.watch,
    },
  )
}

export function queueCheck({ name, waiting, oldestSeconds }: QueueState): Check {
  return checked(
    oldestSeconds > toleratedWaitSeconds ? 'warn' : 'ok',
    `queue of ${name.replaceAll('_', ' ')}`,
    waiting === 0 ? 'empty' : `${waiting} wait, for up to ${Math.round(oldestSeconds)} s`,
    {
      text: 'A receiver may be down, then its deliveries say why; else look at the log of the service.',
      section: sections.watch,
    },
  )
}

/** @param room null where there is no such folder */
export function roomCheck(folder: string, room: Room | null): Check {
  const what = 'data directory'
  const advice = {
    text: 'Make room before the disk is full, or writes will be refused.',
    section: sections.disk,
  }
  if (room === null) return checked('warn', what, `${folder} does not exist yet`, advice)
  const { freeBytes, totalBytes } = room
  const isEnough = freeBytes >= Math.min(minFreeBytes, totalBytes * minFreeShare)
  return checked(isEnough ? 'ok' : 'warn', what, `${folder}, ${(freeBytes / 1024 ** 3).toFixed(1)} GiB free`, advice)
}

export function processChecks(process: Process, now: Date): readonly Check[] {
  const { sockets, maxSockets, requestsWaiting, refused } = process
  const all = [...refused.values()]
  const calls = all.reduce((sum, each) => sum + each.calls, 0)
  const isRecent = all.some(({ lastAt }) => now.getTime() - lastAt.getTime() < recentMs)
  return [
    checked(
      requestsWaiting === 0 ? 'ok' : 'warn',
      'connections to the database',
      requestsWaiting === 0 ? 'nothing waits for one' : `${requestsWaiting} transactions wait for one`,
      {
        text: 'If this lasts for a minute, the database is too slow, or something holds a lock.',
        section: sections.watch,
      },
    ),
    checked(sockets >= maxSockets * nearlyAll ? 'warn' : 'ok', 'sockets', `${sockets} of ${maxSockets} are open`, {
      text: 'Raise SOCKET_LIMIT where the machine has memory for it, or run one more process.',
      section: sections.watch,
    }),
    checked(isRecent ? 'warn' : 'ok', 'rate limits', calls === 0 ? 'no call was refused' : `${calls} refused`, {
      text: 'Single callers ask too often; behind a proxy, look whether TRUSTED_PROXIES names it, or all callers count as one.',
      section: 'The proxy',
    }),
  ]
}

export function readinessCheck(status: string): Check {
  return checked(status === 'ready' ? 'ok' : 'FAIL', 'readiness', status, {
    text: 'This process should get no requests until it is well again. It needs no restart when the database is back.',
    section: sections.database,
  })
}

const order: readonly Verdict[] = ['FAIL', 'warn', 'ok']

/** What is wrong first. */
export function worstFirst(checks: readonly Check[]): readonly Check[] {
  return checks.toSorted((one, other) => order.indexOf(one.verdict) - order.indexOf(other.verdict))
}
