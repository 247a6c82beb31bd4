import { useEffect, useState } from 'react'

/** How long nothing is typed before the service is asked, in milliseconds. */
const pauseMs = 700

/** A text as it was when the reader last paused: for questions to the service about what is typed. */
export function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    if (text === paused) return
    const waiting = setTimeout(() => setPaused(text), pauseMs)
    return () => clearTimeout(waiting)
  }, [text, paused])
  return paused
}
