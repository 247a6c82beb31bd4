import { type ReactNode, useEffect, useRef } from 'react'

/** The time for which a changed value has a ground, in milliseconds. */
const tintMs = 600

interface Props {
  /** What is shown; when it changes, its ground is tinted. */
  readonly of: string | number | null
  readonly className?: string
  readonly children: ReactNode
}

/** A value that others change: its ground is tinted for a moment, without any motion. */
export function Changed({ of, className, children }: Props) {
  const place = useRef<HTMLSpanElement>(null)
  const shown = useRef(of)
  useEffect(() => {
    if (shown.current === of) return
    shown.current = of
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    place.current?.animate(
      [{ backgroundColor: 'var(--tint-action)' }, { backgroundColor: 'var(--tint-action)' }],
      tintMs,
    )
  }, [of])
  return (
    <span ref={place} className={className}>
      {children}
    </span>
  )
}
