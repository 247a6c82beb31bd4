import { signedInAs } from './api.ts'
import { within } from './store.ts'

/** Pages that this browser keeps to read without a connection, one of each kind. Loaded when it is needed. (W11) */

export type KeptKind = 'agenda' | 'bracket' | 'cockpit'

export interface KeptPage {
  readonly kind: KeptKind
  readonly path: string
  readonly title: string
  /** When it was last up to date, in milliseconds since 1970. */
  readonly at: number
  /** The GUID of the reader; null for somebody who was not signed in. */
  readonly reader: string | null
  /** The answers that the page is made of, by their addresses. */
  readonly answers: Readonly<Record<string, unknown>>
}

const pages = { database: 'downbeat', store: 'pages', options: { keyPath: 'kind' } }

/** Answers of somebody who was signed in are for them alone, also where they signed out in another tab meanwhile. */
const isForReader = ({ reader }: KeptPage) => reader === null || reader === signedInAs()

export async function keep(page: KeptPage): Promise<void> {
  if (isForReader(page)) await within(pages, 'readwrite', (store) => store.put(page))
}

/** The pages that the reader may see, the newest first. */
export async function keptPages(): Promise<readonly KeptPage[]> {
  const all = await within<KeptPage[]>(pages, 'readonly', (store) => store.getAll())
  return all.filter(isForReader).toSorted((one, other) => other.at - one.at)
}

/** The newest answer that was kept. */
export async function keptAnswer(
  address: string,
): Promise<{ readonly body: unknown; readonly at: number } | undefined> {
  const page = (await keptPages()).find(({ answers }) => Object.hasOwn(answers, address))
  return page && { body: page.answers[address], at: page.at }
}

export async function forgetKept(): Promise<void> {
  await within(pages, 'readwrite', (store) => store.clear())
}
