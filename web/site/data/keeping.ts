import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { signedInAs } from './api.ts'
import { connection } from './connection.ts'
import type { KeptKind } from './kept.ts'
import { useReader } from './queries.ts'

/** The least time between two writes of a page that changes all the time. */
const stepMs = 2_000

/**
 * Keeps the page, so that it opens without a connection until another one of its kind is opened. (W11)
 *
 * @param title undefined as long as the page has none
 * @param reads the addresses of the answers that it is made of
 */
export function useKept(kind: KeptKind, title: string | undefined, reads: readonly string[]): void {
  const cache = useQueryClient()
  const { user } = useReader()
  const joined = reads.join('\n')
  useEffect(() => {
    if (title === undefined || user === undefined) return
    const addresses = joined.split('\n')
    const write = () => {
      timer = undefined
      const answers = addresses.map((address) => [address, cache.getQueryData([address])] as const)
      // What is shown without a connection is older than what is kept, or is it.
      if (connection.seen().lostAt !== null || answers.some(([, body]) => body === undefined)) return
      const path = `${location.pathname}${location.search}`
      const page = { kind, path, title, at: Date.now(), reader: signedInAs(), answers: Object.fromEntries(answers) }
      // Without it, as in a private window, the page is only not there later.
      void import('./kept.ts').then(({ keep }) => keep(page)).catch(() => {})
    }
    let timer: ReturnType<typeof setTimeout> | undefined = setTimeout(write)
    const stop = cache.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'updated' && addresses.includes(query.queryKey[0] as string)) timer ??= setTimeout(write, stepMs)
    })
    document.addEventListener('visibilitychange', write)
    return () => {
      stop()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', write)
    }
  }, [kind, title, user, joined, cache])
}
