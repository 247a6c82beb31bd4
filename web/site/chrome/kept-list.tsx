import { useEffect, useState } from 'react'
import type { KeptPage } from '../data/kept.ts'
import { words } from '../data/words.ts'
import { Empty } from '../parts/loaded.tsx'
import { Section } from '../parts/section.tsx'
import { momentOf } from './lost-connection.tsx'

/** What this browser keeps, as links; nothing until it is known. */
export function KeptList() {
  const [pages, setPages] = useState<readonly KeptPage[]>()
  useEffect(() => {
    void import('../data/kept.ts')
      .then(({ keptPages }) => keptPages())
      .catch(() => [])
      .then(setPages)
  }, [])
  if (pages === undefined) return null
  return (
    <Section title={words('connection.kept')}>
      {pages.length === 0 && <Empty>{words('connection.nothing-kept')}</Empty>}
      <ul className="lines">
        {pages.map(({ kind, path, title, at }) => (
          <li key={kind}>
            <a href={path}>
              <bdi>{title}</bdi>
            </a>{' '}
            <span className="small muted">{words('connection.as-of', { time: momentOf(at) })}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
