import { signedInAs } from './api.ts'

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

const store = 'pages'

function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open('downbeat', 1)
  request.onupgradeneeded = () => request.result.createObjectStore(store, { keyPath: 'kind' })
  return resultOf(request)
}

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

async function on<Result>(
  mode: IDBTransactionMode,
  work: (pages: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await opened()
  try {
    return await resultOf(work(database.transaction(store, mode).objectStore(store)))
  } finally {
    database.close()
  }
}

/** Answers of somebody who was signed in are for them alone, also where they signed out in another tab meanwhile. */
const isForReader = ({ reader }: KeptPage) => reader === null || reader === signedInAs()

export async function keep(page: KeptPage): Promise<void> {
  if (isForReader(page)) await on('readwrite', (pages) => pages.put(page))
}

/** The pages that the reader may see, the newest first. */
export async function keptPages(): Promise<readonly KeptPage[]> {
  const pages = await on<KeptPage[]>('readonly', (all) => all.getAll())
  return pages.filter(isForReader).toSorted((one, other) => other.at - one.at)
}

/** The newest answer that was kept. */
export async function keptAnswer(
  address: string,
): Promise<{ readonly body: unknown; readonly at: number } | undefined> {
  const page = (await keptPages()).find(({ answers }) => Object.hasOwn(answers, address))
  return page && { body: page.answers[address], at: page.at }
}

export async function forgetKept(): Promise<void> {
  await on('readwrite', (pages) => pages.clear())
}
