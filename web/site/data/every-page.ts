import { useEffect, useRef } from 'react'
import type { usePages } from './queries.ts'

/** What is left of a list that is read to its end. */
export interface RestOfList {
  /** Why its next page could not be read; until that page has come. */
  readonly error: Error | null
  /** Asks for the page that failed, not for those before it. */
  readonly again: () => unknown
  readonly isTrying: boolean
}

type Pages = Pick<
  ReturnType<typeof usePages>,
  'data' | 'error' | 'hasNextPage' | 'isFetching' | 'isFetchNextPageError' | 'fetchNextPage' | 'refetch'
>

/**
 * Reads a list to its end, where a part of it would mislead. A page that has failed is not asked for again at once: a
 * message says so, and the reader tries again. (W17)
 */
export function useEveryPage(pages: Pages): RestOfList {
  const { data, error, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage, refetch } = pages
  useEffect(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
  const count = data?.pages.length ?? 0
  // A connection that is there again reads the pages before it anew: meanwhile the message stays.
  const failed = useRef<{ readonly error: Error; readonly count: number } | null>(null)
  if (isFetchNextPageError && error !== null) failed.current = { error, count }
  else if (!hasNextPage || failed.current?.count !== count) failed.current = null
  return {
    error: failed.current?.error ?? null,
    again: isFetchNextPageError ? fetchNextPage : refetch,
    isTrying: isFetching,
  }
}
