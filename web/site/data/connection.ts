/** Whether the service can be reached, and of when is what is shown. (W11) */

export interface Seen {
  /** When the connection was lost, in milliseconds since 1970 by this machine's clock; null while there is one. */
  readonly lostAt: number | null
  /** Of when is what is shown meanwhile; null where nothing has come yet. */
  readonly asOf: number | null
}

const watchers = new Set<() => void>()
let seen: Seen = { lostAt: null, asOf: null }
let heardAt: number | null = null
/** Of when the answers are that this browser had kept, the oldest of them. */
let keptAt: number | null = null
let isSocketLost = false

function show(next: Seen): void {
  seen = next
  for (const tell of watchers) tell()
}

function lose(): void {
  if (seen.lostAt !== null) return
  show({ lostAt: Date.now(), asOf: keptAt ?? heardAt })
  plan(4_000)
}

function regain(): void {
  if (isSocketLost || seen.lostAt === null) return
  clearTimeout(timer)
  keptAt = null
  show({ lostAt: null, asOf: null })
}

let timer: ReturnType<typeof setTimeout> | undefined

/** Asks anew after a while, and then at growing distances. The socket of the page does so by itself. */
function plan(ms: number): void {
  clearTimeout(timer)
  timer = setTimeout(
    () => {
      void probe()
      plan(Math.min(60_000, ms * 2))
    },
    ms * (0.5 + Math.random()),
  )
}

async function probe(): Promise<void> {
  if (seen.lostAt !== null && !isSocketLost && (await isThere())) connection.heard()
}

/** Whether the service answers, by a small file of it. */
export async function isThere(): Promise<boolean> {
  const reply = await fetch('/manifest.webmanifest', { method: 'HEAD', cache: 'no-store' }).catch(() => null)
  return reply?.ok === true
}

export const connection = {
  subscribe(watcher: () => void) {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  },
  seen: () => seen,
  lose,
  /** The service has answered. */
  heard(): void {
    heardAt = Date.now()
    regain()
  },
  /** The socket is open, or is not needed; or it waits for its next attempt. */
  socket(isLost: boolean): void {
    isSocketLost = isLost
    if (isLost) lose()
    else regain()
  },
  /** An answer that was kept is shown. */
  shows(at: number): void {
    keptAt = Math.min(keptAt ?? at, at)
    lose()
    if (seen.asOf === null || seen.asOf > keptAt) show({ ...seen, asOf: keptAt })
  },
}

if (!navigator.onLine) lose()
addEventListener('offline', lose)
addEventListener('online', probe)
addEventListener('focus', probe)
