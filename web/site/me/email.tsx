import { address } from '../data/api.ts'
import type { UserDetail } from '../data/generated.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { useWrite } from '../data/writes.ts'
import { TextField } from '../parts/form/fields.tsx'
import { Form } from '../parts/form/form.tsx'
import { useForm } from '../parts/form/use-form.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Section } from '../parts/section.tsx'
import { State } from '../parts/state.tsx'
import styles from './settings.module.css'

export const ownAddress = address('/users/{user}', { user: '@me' })

/** The reader's mail address, which counts once its link was opened. */
export function Email() {
  const read = useRead(ownAddress)
  return (
    <Section title={words('email.title')}>
      <Loaded of={read} rows={2}>
        {(user) => <EmailOf user={user} />}
      </Loaded>
    </Section>
  )
}

function EmailOf({ user }: { readonly user: UserDetail }) {
  const form = useForm({ key: 'email', saved: { email: '' } })
  const ask = useWrite('PUT /users/@me/email', () => form.take())
  return (
    <div className={styles.account}>
      <p>
        {user.email == null ? (
          <span className="muted">{words('email.none')}</span>
        ) : (
          <>
            <bdi>{user.email}</bdi>{' '}
            <State shape={user.emailVerified ? 'done' : 'waiting'} tone={user.emailVerified ? 'quiet' : 'warning'}>
              {words(user.emailVerified ? 'email.verified' : 'email.unverified')}
            </State>
          </>
        )}
      </p>
      <Form error={ask.error} onSubmit={() => ask.send({ params: {}, body: { email: form.values.email } })}>
        <div className={styles.form}>
          <TextField form={form} name="email" type="email" label={words('email.new')} autoComplete="email" isRequired />
          <button type="submit" className="btn" aria-disabled={ask.isSending}>
            {words('email.send')}
          </button>
        </div>
      </Form>
      <p role="status" className="muted">
        {ask.isDone && words('email.sent')}
      </p>
    </div>
  )
}
