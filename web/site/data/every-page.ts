import { useEffect } from 'react'
import type { usePages } from './queries.ts'

/** Reads a list to its end, where a part of it would mislead. */
export function useEveryPage({
  hasNextPage,
  isFetching,
  fetchNextPage,
}: Pick<ReturnType<typeof usePages>, 'hasNextPage' | 'isFetching' | 'fetchNextPage'>): void {
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage])
}
