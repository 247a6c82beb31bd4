import { ApiError, OtherReader, type Sent, signedInAs, write } from '../api.ts'
import { connection } from '../connection.ts'
import { leftOf, refusalOf } from './answers.ts'
import { insert, replace, reportsOf, save } from './store.ts'
import type { NewReport, Report, ReportPath } from './types.ts'

/**
 * Sends the reports of the reader in their order, one at a time, whichever tabs are open. A report leaves the queue when
 * the service has taken it, or when the reader throws it away. (W12)
 */

export interface Queue {
  readonly reports: readonly Report[]
  /** The reader is signed out, or somebody else is signed in: none can be sent. */
  readonly isSignedOut: boolean
}

const nothing: Queue = { reports: [], isSignedOut: false }
let queue = nothing
let user: string | null = null
const watchers = new Set<() => void>()
const takers = new Set<(report: Report, answer: unknown) => void>()

export const queueOfReader = {
  subscribe(watcher: () => void) {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  },
  get: () => queue,
}

/** Calls back with the answer to each report that this tab, or another one, has sent. */
export function onSent(taker: (report: Report, answer: unknown) => void): () => void {
  takers.add(taker)
  return () => takers.delete(taker)
}

/** What was taken by the service, with its answer; null where the queue has changed otherwise. */
type Told = { readonly report: Report; readonly answer: unknown } | null

const otherTabs = new BroadcastChannel('downbeat.reports')
otherTabs.onmessage = ({ data: told }: MessageEvent<Told>) => {
  // Before the report leaves the queue: without a connection, nothing else would tell this tab of its result.
  if (told !== null && told.report.user === user) for (const take of takers) take(told.report, told.answer)
  void show().then(plan)
}

/** Reads the queue again, as it is after a change. */
async function show(isSignedOut = queue.isSignedOut): Promise<void> {
  const of = user
  const reports = of === null ? [] : await reportsOf(of)
  if (of !== user) return
  queue = { reports, isSignedOut: isSignedOut && reports.length > 0 }
  for (const tell of watchers) tell()
}

async function changed(isSignedOut?: boolean, told: Told = null): Promise<void> {
  await show(isSignedOut)
  otherTabs.postMessage(told)
}

/** The reports of this account are shown and sent from now on; none where it is null. */
export function startFor(reader: string | null): void {
  if (reader === user) return
  user = reader
  queue = nothing
  void show().then(() => pump(true))
}

/** Keeps a report, and sends it as soon as its turn comes. @throws where this browser keeps nothing */
export async function report(made: NewReport): Promise<void> {
  if (user === null) throw new OtherReader()
  await insert(made, user)
  await changed()
  void pump()
}

/** One tab works on the queue at a time. */
const alone = <Result>(work: () => Promise<Result>): Promise<Result> =>
  navigator.locks.request('downbeat.reports', work)

let isPumping = false
let isAgain = false
let isForced = false

/** @param now without waiting for what remains of a delay */
async function pump(now = false): Promise<void> {
  isForced ||= now
  isAgain = true
  if (isPumping) return
  isPumping = true
  try {
    while (isAgain) {
      isAgain = false
      const forced = isForced
      isForced = false
      await alone(() => sendAll(forced))
    }
  } finally {
    isPumping = false
  }
  plan()
}

/** The one whose turn it is. A conflict stops all others, another refusal those of the same match. */
function nextOf(reports: readonly Report[]): Report | undefined {
  const held = new Set<string>()
  for (const each of reports) {
    if (each.refusal?.status === 409) return undefined
    if (each.refusal !== null) held.add(each.match)
    else if (!held.has(each.match)) return each
  }
  return undefined
}

async function sendAll(forced: boolean): Promise<void> {
  const of = user
  for (;;) {
    if (of === null || of !== user) return
    const next = nextOf(await reportsOf(of))
    if (next === undefined || (!forced && next.notBefore > Date.now())) return
    if (!(await attempt(next))) return
  }
}

const patienceMs = 30_000
/** The longest delay between two attempts, but for one that the service names. */
const longestSeconds = 15

/** Resolves to whether the next one may be sent. */
async function attempt(next: Report): Promise<boolean> {
  const { request, key, tries } = next
  try {
    const sent = { params: request.params, body: request.body } as unknown as Sent<ReportPath>
    const answer = await write(request.at, sent, key, { user: next.user, signal: AbortSignal.timeout(patienceMs) })
    for (const take of takers) take(next, answer)
    await replace(next)
    await changed(false, { report: next, answer })
    return true
  } catch (error) {
    if (error instanceof ApiError && isFinal(error)) return refuse(next, error)
    const retryMs = ((error instanceof ApiError && error.retryAfter) || Math.min(longestSeconds, 2 ** tries)) * 1_000
    const notBefore = Date.now() + retryMs * (1 + Math.random() / 2)
    await save({ ...next, tries: tries + 1, notBefore })
    await changed(error instanceof OtherReader && signedInAs() !== next.user)
    return false
  }
}

/** An answer of the service itself, which it would give again. */
const isFinal = ({ status, requestId }: ApiError): boolean =>
  status < 500 && ![401, 408, 425, 429].includes(status) && requestId !== null

async function refuse(next: Report, error: ApiError): Promise<boolean> {
  const refusal = refusalOf(next, error)
  // What somebody else has told too is there, and what else has happened in the session is in the way of nothing.
  const left = refusal.status === 409 ? leftOf(next, refusal) : undefined
  if (left === undefined) await save({ ...next, refusal })
  else await replace(next, left)
  await changed(false)
  return refusal.status !== 409 || left !== undefined
}

let timer: ReturnType<typeof setTimeout> | undefined

/** Sends again after a while, also where another tab has failed. */
function plan(): void {
  clearTimeout(timer)
  const next = nextOf(queue.reports)
  if (next !== undefined)
    timer = setTimeout(() => void pump(), Math.min(120_000, Math.max(0, next.notBefore - Date.now())) + 50)
}

let wasLost = connection.seen().lostAt !== null
connection.subscribe(() => {
  const isLost = connection.seen().lostAt !== null
  if (wasLost && !isLost) void pump(true)
  wasLost = isLost
})
addEventListener('online', () => void pump(true))

/** Changes the queue between two attempts, if the report is still in it. */
async function change(order: number, work: (found: Report) => Promise<void>): Promise<void> {
  await alone(async () => {
    const found = user === null ? undefined : (await reportsOf(user)).find((each) => each.order === order)
    if (found !== undefined) await work(found)
  })
  await changed()
  void pump(true)
}

/** Throws it away. */
export const discard = ({ order }: Report) => change(order, (found) => replace(found))

/** Sends it once more, as another request where it was refused. */
export const sendAgain = ({ order }: Report) =>
  change(order, (found) => (found.refusal === null ? save({ ...found, notBefore: 0 }) : replace(found, [found])))

/** Puts others in its place. */
export const sendInstead = ({ order }: Report, by: readonly NewReport[]) => change(order, (found) => replace(found, by))

/** Throws all of them away. */
export async function discardAll(): Promise<void> {
  await alone(async () => {
    if (user !== null) for (const each of await reportsOf(user)) await replace(each)
  })
  await changed()
}
