import { useEffect, useRef, useState } from 'react'
import { useTournament } from '../data/tournament.ts'
import { words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { PrintButton, Printed } from '../parts/print.tsx'
import { Prose } from '../parts/prose.tsx'
import { Section } from '../parts/section.tsx'
import styles from './rules.module.css'

/** The rules, with a list of their contents. */
export function Rules() {
  const read = useTournament()
  return (
    <Printed name={read.data?.name} className="page stack">
      <div className="title">
        <h1>{words('tournament.rules')}</h1>
        <PrintButton isSmall />
      </div>
      <Loaded of={read} rows={10}>
        {({ html, links }) => (
          <>
            {html?.rules ? <Text html={html.rules} /> : <Empty>{words('tournament.no-rules')}</Empty>}
            {links.rulesUrl !== null && (
              <p>
                {words('rules.elsewhere')}{' '}
                <a href={links.rulesUrl} rel="nofollow ugc noopener">
                  <bdi>{links.rulesUrl}</bdi>
                </a>
              </p>
            )}
          </>
        )}
      </Loaded>
    </Printed>
  )
}

interface Heading {
  readonly id: string
  readonly text: string
  readonly level: number
}

/** As long as this, a text needs no list of its contents. */
const fewHeadings = 3

function Text({ html }: { readonly html: string }) {
  const text = useRef<HTMLDivElement>(null)
  const [headings, setHeadings] = useState<readonly Heading[]>([])
  // The service takes ids out of texts, so that none collides with one of the page: here each heading gets its own.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the headings are those of this text
  useEffect(() => {
    const found = [...(text.current?.querySelectorAll('h2, h3, h4, h5') ?? [])].map((heading, at) => {
      heading.id = idOf(heading.textContent ?? '', at)
      return { id: heading.id, text: heading.textContent ?? '', level: Number(heading.tagName.slice(1)) }
    })
    setHeadings(found)
    const asked = decodeURIComponent(location.hash.slice(1))
    if (asked !== '' && found.some(({ id }) => id === asked)) document.getElementById(asked)?.scrollIntoView()
  }, [html])
  const top = Math.min(...headings.map(({ level }) => level))
  return (
    <div className={headings.length < fewHeadings ? '' : styles.rules}>
      {headings.length >= fewHeadings && (
        <nav className={`${styles.contents} no-print`} aria-labelledby="contents">
          <Section title={<span id="contents">{words('rules.contents')}</span>}>
            <ol>
              {headings.map(({ id, text: title, level }) => (
                <li key={id} className={level > top ? styles.inner : ''}>
                  <a href={`#${id}`} className="plain" dir="auto">
                    {title}
                  </a>
                </li>
              ))}
            </ol>
          </Section>
        </nav>
      )}
      <div ref={text}>
        <Prose html={html} level={2} />
      </div>
    </div>
  )
}

/** The words of a heading, with its place where another one may be called so. */
function idOf(text: string, at: number): string {
  const name = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
  return `rule-${at + 1}${name === '' ? '' : `-${name}`}`
}
