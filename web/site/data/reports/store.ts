import { within } from '../store.ts'
import { mark } from './mark.ts'
import type { NewReport, Report } from './types.ts'

/** The queue of reports in this browser. It outlives signing out; each account sees its own reports alone. (W12) */

const place = {
  database: 'downbeat-reports',
  store: 'reports',
  options: { keyPath: 'order', autoIncrement: true },
}

/** In the order in which they are sent. */
export async function reportsOf(user: string): Promise<readonly Report[]> {
  const all = await within<Report[]>(place, 'readonly', (store) => store.getAll())
  const own = all.filter((each) => each.user === user)
  mark(user, own.length)
  return own
}

export async function insert(report: NewReport, user: string): Promise<void> {
  mark(user, 1)
  const added: Omit<Report, 'order'> = {
    ...report,
    ...{ user, key: crypto.randomUUID(), madeAt: Date.now(), tries: 0, notBefore: 0, refusal: null },
  }
  await within(place, 'readwrite', (store) => store.add(added))
}

export async function save(report: Report): Promise<void> {
  await within(place, 'readwrite', (store) => store.put(report))
}

/** Removes a report; what comes in its place takes its turn. */
export async function replace(report: Report, by: readonly NewReport[] = []): Promise<void> {
  const { order } = report
  await within(place, 'readwrite', (store) => {
    if (by.length === 0) store.delete(order)
    by.forEach((each, at) => {
      const fresh = { key: crypto.randomUUID(), tries: 0, notBefore: 0, refusal: null }
      // Only what became several has fractions, and of these each is replaced by one at most.
      store.put({ ...report, ...each, ...fresh, order: order + at / 1_000 })
    })
    return store.count()
  })
}
