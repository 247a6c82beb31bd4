import type { ReactNode } from 'react'
import { words } from '../../data/words.ts'
import { Field } from './form.tsx'
import type { FormState } from './use-form.ts'

/** Fields of a form, by the names of its values. */

type NameOf<Values, Kind> = { [Name in keyof Values]: Values[Name] extends Kind ? Name : never }[keyof Values] & string

interface Shared<Values extends object, Kind> {
  readonly form: FormState<Values>
  readonly name: NameOf<Values, Kind>
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly isRequired?: boolean
}

interface TextProps<Values extends object> extends Shared<Values, string | null> {
  readonly type?: 'text' | 'url' | 'email' | 'search'
  readonly maxLength?: number
  readonly autoComplete?: string
  /** Several lines. */
  readonly rows?: number
}

export function TextField<Values extends object>(props: TextProps<Values>) {
  const { form, name, label, hint, isRequired = false, type = 'text', maxLength, autoComplete = 'off', rows } = props
  const value = (form.values[name] ?? '') as string
  const set = (text: string) => form.set(name, text as Values[typeof name])
  return (
    <Field name={name} label={label} hint={hint} isRequired={isRequired} beside={<Meanwhile form={form} name={name} />}>
      {(of) => {
        const shared = { ...of, className: 'in', value, required: isRequired, maxLength, autoComplete, dir: 'auto' }
        if (rows !== undefined) return <textarea {...shared} rows={rows} onChange={({ target }) => set(target.value)} />
        return <input {...shared} type={type} onChange={({ target }) => set(target.value)} />
      }}
    </Field>
  )
}

/** What somebody else has saved while the reader was typing: each of both can be chosen. (W10) */
function Meanwhile<Values extends object>({
  form,
  name,
}: {
  readonly form: FormState<Values>
  readonly name: keyof Values
}) {
  if (!(name in form.conflicts)) return null
  const theirs = form.conflicts[name]
  return (
    <div className="notice notice-warning" role="status">
      <p className="push">
        {words('form.meanwhile')} <bdi>{String(theirs ?? '')}</bdi>
      </p>
      <div className="btns">
        <button type="button" className="btn" onClick={() => form.keep(name)}>
          {words('form.mine')}
        </button>
        <button type="button" className="btn" onClick={() => form.take(name)}>
          {words('form.theirs')}
        </button>
      </div>
    </div>
  )
}
