/** What this browser keeps in IndexedDB. */

export interface Place {
  readonly database: string
  /** The only store of the database. */
  readonly store: string
  readonly options: IDBObjectStoreParameters
}

/**
 * Resolves when it is on disk. The database is open for the time of the work alone: a tab of an older build that kept it
 * open would keep a newer build from changing it.
 */
export async function within<Result>(
  { database, store, options }: Place,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const opening = indexedDB.open(database, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(store, options)
  const opened = await new Promise<IDBDatabase>((resolve, reject) => {
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => reject(opening.error)
  })
  try {
    const transaction = opened.transaction(store, mode, { durability: 'strict' })
    const request = work(transaction.objectStore(store))
    return await new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error)
    })
  } finally {
    opened.close()
  }
}
