import { useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'

/** The links of matches are plain ones, because a bracket has hundreds; a click is a step of the router. */
export function useMatchLinks(): (event: MouseEvent) => void {
  const router = useRouter()
  return (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-match]') : null
    const isOther = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
    if (link === null || isOther || link.target === '_blank') return
    event.preventDefault()
    router.history.push(link.pathname)
  }
}
