import type { Application } from '../data/generated.ts'
import { words } from '../data/words.ts'
import { TextField } from '../parts/form/fields.tsx'
import { Field, Form, Save } from '../parts/form/form.tsx'
import { useForm } from '../parts/form/use-form.ts'

/** The fields of an application: its name, what it may ask for, and where people are sent back to. */

export interface ApplicationValues {
  readonly name: string
  readonly type: Application['type']
  readonly scopes: Application['scopes']
  /** One a line. */
  readonly redirectUris: string
}

export const valuesOf = ({ name, type, scopes, redirectUris }: Application): ApplicationValues => ({
  name,
  type,
  scopes,
  redirectUris: redirectUris.join('\n'),
})

export const bodyOf = ({ redirectUris, ...values }: ApplicationValues) => ({
  ...values,
  redirectUris: redirectUris.split(/\s+/).filter((uri) => uri !== ''),
})

const scopes: Application['scopes'] = [
  ...(['rest:user:read', 'rest:user:write', 'rest:read', 'rest:write', 'ws:read', 'ws:write'] as const),
  ...(['assistant', 'assistant:game', 'compsystem'] as const),
]

export const scopeWords = (scope: Application['scopes'][number]): string =>
  words(`scope.${scope.replaceAll(':', '-') as 'rest-read'}`)

interface Props {
  readonly id: string
  readonly saved: ApplicationValues
  readonly error: Error | null
  readonly isSending: boolean
  readonly isSaved: boolean
  readonly label: string
  readonly send: (values: ApplicationValues) => Promise<boolean>
}

export function ApplicationForm({ id, saved, error, isSending, isSaved, label, send }: Props) {
  const form = useForm({ key: `application-${id}`, saved })
  const { values } = form
  const submit = async () => {
    if (await send(values)) form.take()
  }
  const toggle = (scope: Application['scopes'][number]) =>
    form.set(
      'scopes',
      scopes.filter((each) => (each === scope) !== values.scopes.includes(each)),
    )
  return (
    <Form error={error} isChanged={form.isChanged} onSubmit={submit}>
      <TextField form={form} name="name" label={words('applications.name')} maxLength={64} isRequired />
      <fieldset>
        <legend className="strong">{words('applications.type')}</legend>
        {(['confidential', 'public'] as const).map((type) => (
          <label key={type} className="choice">
            <input type="radio" name="type" checked={values.type === type} onChange={() => form.set('type', type)} />
            {words(`applications.type-${type}`)}
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend className="strong">{words('applications.scopes')}</legend>
        {scopes.map((scope) => (
          <label key={scope} className="choice">
            <input type="checkbox" checked={values.scopes.includes(scope)} onChange={() => toggle(scope)} />
            <span>
              {scopeWords(scope)} <code className="code muted">{scope}</code>
            </span>
          </label>
        ))}
      </fieldset>
      <Field name="redirectUris" label={words('applications.uris')} hint={words('applications.uris-hint')}>
        {(of) => (
          <textarea
            {...of}
            className="in"
            rows={3}
            value={values.redirectUris}
            onChange={({ target }) => form.set('redirectUris', target.value)}
          />
        )}
      </Field>
      <Save isSending={isSending} isSaved={isSaved} isDisabled={!form.isChanged}>
        {label}
      </Save>
    </Form>
  )
}
