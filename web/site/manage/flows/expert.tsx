import { useState } from 'react'
import { words } from '../../data/words.ts'
import { CopyButton } from '../../parts/copy.tsx'
import type { FormState } from '../../parts/form/use-form.ts'
import styles from './flows.module.css'
import type { FlowValues, Part } from './model.ts'

/** The flow as the API has it, for those who carry it elsewhere. */
export function Expert({ form }: { readonly form: FormState<FlowValues> }) {
  const { name, bestOf, seats, pairs, steps, ...rules } = form.values
  const text = JSON.stringify({ name, bestOf, seats, pairs, steps, rules }, null, 2)
  const [typed, setTyped] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const take = () => {
    try {
      const given = JSON.parse(typed ?? text) as Partial<FlowValues> & { readonly rules?: Partial<FlowValues> }
      if (!isWhole(given.steps)) throw new Error(words('flows.json-steps'))
      const { rules: ruled, ...others } = given
      form.change({ ...pick({ ...form.values }, ruled ?? {}), ...pick({ name, bestOf, seats, pairs, steps }, others) })
      setTyped(null)
      setFault(null)
    } catch (error) {
      setFault((error as Error).message)
    }
  }
  return (
    <details className={styles.expert}>
      <summary>{words('flows.expert')}</summary>
      <label className="field">
        <span>{words('flows.json')}</span>
        <textarea
          className="in code"
          rows={16}
          spellCheck={false}
          value={typed ?? text}
          aria-invalid={fault !== null}
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
      {fault !== null && (
        <p className={styles.error} role="alert">
          {words('flows.json-fault')} <bdi>{fault}</bdi>
        </p>
      )}
      <div className="btns">
        <button type="button" className="btn" aria-disabled={typed === null} onClick={take}>
          {words('flows.json-take')}
        </button>
        <CopyButton text={typed ?? text} label={words('flows.json-copy')} />
      </div>
    </details>
  )
}

/** Members that a flow has; others of a pasted text are left out. */
function pick(known: object, given: object): Partial<FlowValues> {
  return Object.fromEntries(Object.entries(given).filter(([member]) => member in known))
}

/** Whether the editor can show the steps: each with the members that steps have. */
function isWhole(parts: unknown): parts is readonly Part[] {
  return (
    Array.isArray(parts) &&
    parts.length > 0 &&
    parts.every((part: unknown) => {
      if (typeof part !== 'object' || part === null) return false
      if ('steps' in part) return ('repeat' in part || 'each' in part) && isWhole(part.steps)
      return (
        'action' in part &&
        'actor' in part &&
        Array.isArray(part.actor) &&
        'from' in part &&
        'onTimeout' in part &&
        'limits' in part
      )
    })
  )
}
