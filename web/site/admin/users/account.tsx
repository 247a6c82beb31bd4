import { useMemo } from 'react'
import type { Account } from '../../data/generated.ts'
import { words } from '../../data/words.ts'
import { CheckField, TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Section } from '../../parts/section.tsx'
import { useAccountChange } from './change.ts'
import styles from './users.module.css'

/** What administrators may set in an account, the links among it. (D39) */

const links = ['rankingIdA', 'rankingIdB', 'streamingName'] as const

export function AccountFields({ of }: { readonly of: Account }) {
  const { preferredName, username, country, email, emailVerified, rankingIdA, rankingIdB, streamingName } = of
  const saved = useMemo(
    () => ({ preferredName, username, country, email, emailVerified, rankingIdA, rankingIdB, streamingName }),
    [preferredName, username, country, email, emailVerified, rankingIdA, rankingIdB, streamingName],
  )
  const form = useForm({ key: `account-${of.guid}`, saved })
  const change = useAccountChange(of.guid, () => form.take())
  const save = () => {
    // An empty field takes away what was there.
    const body = Object.fromEntries(
      Object.entries(form.changed).map(([name, value]) => [name, value === '' ? null : value]),
    )
    return change.send({ params: { user: of.guid }, body })
  }
  return (
    <Section title={words('users.account')}>
      <Form error={change.error} isChanged={form.isChanged} onSubmit={save}>
        <div className={styles.fields}>
          <TextField form={form} name="preferredName" label={words('users.preferred-name')} isRequired maxLength={50} />
          <TextField form={form} name="username" label={words('users.username')} isRequired maxLength={100} />
          <TextField
            form={form}
            name="country"
            label={words('users.country')}
            hint={words('users.country-hint')}
            maxLength={2}
          />
          <TextField form={form} name="email" label={words('users.email')} type="email" maxLength={254} />
          {links.map((name) => (
            <TextField
              key={name}
              form={form}
              name={name}
              label={words(`users.${name}`)}
              hint={words('users.link-hint')}
              maxLength={25}
            />
          ))}
        </div>
        <CheckField form={form} name="emailVerified" label={words('users.email-verified')} />
        <Save isSending={change.isSending} isSaved={change.isDone} isDisabled={!form.isChanged}>
          {words('form.save')}
        </Save>
      </Form>
    </Section>
  )
}
