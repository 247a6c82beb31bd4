import { useId, useMemo, useState } from 'react'
import { words } from '../../data/words.ts'
import { Meanwhile } from '../../parts/form/fields.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Section } from '../../parts/section.tsx'
import type { OwnValue } from './acts.ts'
import { useShown } from './shown.ts'
import { LineInput } from './text-line.tsx'
import styles from './values.module.css'

/** Values that the scenes take from the control by names of their own, such as a sponsor or a target. */

const most = 20
const name = '[a-z][A-Za-z0-9]{0,31}'

/** The names that a document uses, and whether it compares them with yes and no. */
function usedBy(document: unknown): ReadonlyMap<string, 'text' | 'yesNo'> {
  const found = new Map<string, 'text' | 'yesNo'>()
  const walk = (part: unknown) => {
    if (typeof part !== 'object' || part === null) return
    const { path, value } = part as { readonly path?: unknown; readonly value?: unknown }
    const key = typeof path === 'string' ? new RegExp(`^control\\.custom\\.(${name})$`).exec(path)?.[1] : undefined
    if (key !== undefined && found.get(key) !== 'yesNo') found.set(key, typeof value === 'boolean' ? 'yesNo' : 'text')
    Object.values(part).forEach(walk)
  }
  walk(document)
  return found
}

export function OwnValues({ document }: { readonly document: unknown }) {
  const { control, acts } = useShown()
  const used = useMemo(() => usedBy(document), [document])
  const custom = control.custom as Readonly<Record<string, OwnValue>>
  const keys = [...new Set([...used.keys(), ...Object.keys(custom)])].toSorted()
  const put = (key: string, value: OwnValue | undefined) => acts.send({ custom: { [key]: value } })
  return (
    <Section title={words('control.own')} beside={<span className="muted">{words('control.own-of')}</span>}>
      {keys.map((key) =>
        typeof custom[key] === 'boolean' || (custom[key] === undefined && used.get(key) === 'yesNo') ? (
          <label key={key} className="choice">
            <input
              type="checkbox"
              checked={custom[key] === true}
              onChange={({ target }) => void put(key, target.checked)}
            />
            {key}
          </label>
        ) : (
          <TextOf key={key} name={key} value={custom[key]} isUsed={used.has(key)} put={(value) => put(key, value)} />
        ),
      )}
      {Object.keys(custom).length < most && <NewValue keys={keys} add={(key) => put(key, '')} />}
    </Section>
  )
}

/** Numbers are compared as such. */
const typedValue = (text: string): OwnValue => (text !== '' && String(Number(text)) === text ? Number(text) : text)

interface TextProps {
  readonly name: string
  readonly value: OwnValue | undefined
  /** By the scenes: without a text they show what they have for that. */
  readonly isUsed: boolean
  readonly put: (value: OwnValue | undefined) => Promise<boolean>
}

function TextOf({ name: key, value, isUsed, put }: TextProps) {
  const { overlay } = useShown()
  const id = useId()
  const form = useForm({ key: `own-${overlay.guid}-${key}`, saved: { text: String(value ?? '') } })
  const { text } = form.values
  const isRemoved = text === '' && value !== undefined && (isUsed || !form.isChanged)
  return (
    <>
      <form
        className={styles.own}
        onSubmit={async (event) => {
          event.preventDefault()
          if (await put(isRemoved ? undefined : typedValue(text))) form.settle({ text })
        }}
      >
        <label htmlFor={id}>{key}</label>
        <LineInput id={id} text={text} change={(next) => form.set('text', next)} />
        <button
          type="submit"
          className={`btn ${form.isChanged ? 'btn-primary' : ''}`}
          aria-disabled={!form.isChanged && !isRemoved}
        >
          {words(isRemoved ? 'control.remove-text' : 'control.show')}
          <span className="unseen"> {key}</span>
        </button>
      </form>
      <Meanwhile form={form} name="text" show={(shown) => String(shown) || words('control.none')} />
    </>
  )
}

function NewValue({
  keys,
  add,
}: {
  readonly keys: readonly string[]
  readonly add: (key: string) => Promise<boolean>
}) {
  const id = useId()
  const [key, setKey] = useState('')
  return (
    <form
      className={styles.own}
      onSubmit={async (event) => {
        event.preventDefault()
        if (!keys.includes(key) && (await add(key))) setKey('')
      }}
    >
      <label htmlFor={id}>{words('control.own-name')}</label>
      <input
        id={id}
        className="in"
        autoComplete="off"
        required
        pattern={name}
        title={words('control.own-form')}
        value={key}
        onChange={({ target }) => setKey(target.value)}
      />
      <button type="submit" className="btn">
        {words('control.add')}
        <span className="unseen"> {words('control.own')}</span>
      </button>
    </form>
  )
}
