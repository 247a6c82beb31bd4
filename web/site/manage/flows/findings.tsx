import { useEffect, useRef, useState } from 'react'
import type { FlowProblem } from '../../../../client/generated.ts'
import type { FlowVerdict, Writes } from '../../data/generated.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { StateIcon } from '../../parts/icon.tsx'
import styles from './flows.module.css'
import { actorText } from './sentences.ts'

/** What the service finds in a flow, while it is edited: nothing is judged here. (match-flows: Validation) */

type Judged = Exclude<Writes['POST /flows/validate']['body'], undefined>

export interface Verdict {
  readonly found: FlowVerdict | null
  /** What is shown is of an earlier state. */
  readonly isBehind: boolean
  readonly error: Error | null
}

const pauseMs = 250

export function useVerdict(judged: Judged): Verdict {
  const text = JSON.stringify(judged)
  const [known, setKnown] = useState<{ readonly of: string; readonly found: FlowVerdict } | null>(null)
  const latest = useRef(text)
  latest.current = text
  const { attempt, error } = useWrite('POST /flows/validate', (_, found, { body }) => {
    const of = JSON.stringify(body)
    // Answers may overtake each other.
    if (of === latest.current || known === null) setKnown({ of, found })
  })
  const send = useRef(attempt)
  send.current = attempt
  useEffect(() => {
    const timer = setTimeout(() => void send.current({ params: {}, body: JSON.parse(text) as Judged }), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return { found: known?.found ?? null, isBehind: known?.of !== text, error }
}

export function Finding({ of: { severity, message } }: { readonly of: FlowProblem }) {
  return (
    <li className={severity === 'error' ? styles.error : styles.warning}>
      <StateIcon name="problem" />
      <span>
        <span className="unseen">
          {words(severity === 'error' ? 'manage.severity-error' : 'manage.severity-warning')}{' '}
        </span>
        <bdi>{inWords(message)}</bdi>
      </span>
    </li>
  )
}

const actors = new Set([
  ...['higherSeed', 'lowerSeed', 'rollWinner', 'rollLoser', 'lastMapWinner', 'lastMapLoser', 'leader', 'trailer'],
  ...['it', 'all', 'referee', 'system'],
])

/** Names that only the API has, as the steps say them. */
const inWords = (message: string): string =>
  message.replace(/“(\w+(?::\d+)?)”/g, (quoted, name: string) =>
    actors.has(name) || name.includes(':') ? `“${actorText(name)}”` : quoted,
  )

/** Where a finding is, so that a long flow need not be searched. */
export function Places({ of }: { readonly of: readonly FlowProblem[] }) {
  const go = (step: string) => {
    const line = document.querySelector<HTMLElement>(`[data-step="${step}"] > [data-line] select`)
    line?.scrollIntoView({ block: 'center' })
    line?.focus()
  }
  return (
    <div className="btns">
      {of.flatMap(({ step, code }) =>
        step === null ? (
          []
        ) : (
          <button key={`${step} ${code}`} type="button" className="btn btn-quiet" onClick={() => go(step)}>
            {words('flows.to-step', { number: step })}
          </button>
        ),
      )}
    </div>
  )
}
