import { type ReactNode, useId } from 'react'

/** A section: a heavy rule, a head with its heading and links, and what it holds. */
export function Section({
  title,
  beside,
  children,
  level = 2,
}: {
  readonly title: ReactNode
  readonly beside?: ReactNode
  readonly children: ReactNode
  readonly level?: 1 | 2 | 3
}) {
  const id = useId()
  const Heading = `h${level}` as const
  return (
    <section className="section" aria-labelledby={id}>
      <header>
        <Heading id={id}>{title}</Heading>
        {beside}
      </header>
      {children}
    </section>
  )
}
