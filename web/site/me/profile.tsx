import { Link } from '@tanstack/react-router'
import { address } from '../data/api.ts'
import type { UserDetail } from '../data/generated.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { useWrite } from '../data/writes.ts'
import { TextField } from '../parts/form/fields.tsx'
import { Form, Save } from '../parts/form/form.tsx'
import { useForm } from '../parts/form/use-form.ts'
import { Failure, Loaded } from '../parts/loaded.tsx'
import { Section } from '../parts/section.tsx'
import { Spoken } from '../parts/spoken.tsx'
import { Face } from '../parts/team.tsx'
import { Avatar } from './avatar.tsx'
import styles from './profile.module.css'

/** What others see of the reader, and the form that changes it. */

const own = address('/users/{user}', { user: '@me' })

export function Profile() {
  const read = useRead(own)
  return (
    <div className="page stack">
      <h1>{words('me.profile')}</h1>
      <Loaded of={read} rows={8}>
        {(user) => <ProfileOf user={user} />}
      </Loaded>
    </div>
  )
}

function ProfileOf({ user }: { readonly user: UserDetail }) {
  const form = useForm({
    key: 'profile',
    saved: {
      preferredName: user.preferredName ?? '',
      pronunciation: user.pronunciation ?? '',
      pronouns: user.pronouns ?? '',
      description: user.description,
      headset: user.headset ?? '',
      controllers: user.controllers ?? '',
      grip: user.grip ?? '',
    },
  })
  const save = useWrite('POST /updateUserSettings', (known, _reply, { body }) => {
    known.change(own, (before) => ({ ...before, ...(body as Partial<UserDetail>) }))
    known.renew('/users/')
    form.take()
  })
  const { values } = form
  const name = values.preferredName || user.username
  return (
    <div className={styles.beside}>
      <Section title={words('profile.form')}>
        <Form
          error={save.error}
          isChanged={form.isChanged}
          onSubmit={() => save.send({ params: {}, body: form.changed })}
        >
          <TextField
            form={form}
            name="preferredName"
            label={words('profile.name')}
            maxLength={50}
            hint={words('profile.name-hint', { name: user.username })}
          />
          <TextField
            form={form}
            name="pronunciation"
            label={words('spoken.field')}
            hint={words('spoken.hint')}
            maxLength={80}
          />
          <TextField form={form} name="pronouns" label={words('profile.pronouns')} maxLength={50} />
          <TextField
            form={form}
            name="description"
            label={words('profile.description')}
            rows={6}
            hint={words('form.markdown')}
          />
          <div className={styles.row}>
            <TextField form={form} name="headset" label={words('profile.headset')} maxLength={100} />
            <TextField form={form} name="controllers" label={words('profile.controllers')} maxLength={100} />
            <TextField form={form} name="grip" label={words('profile.grip')} maxLength={100} />
          </div>
          <Save isSending={save.isSending} isDisabled={!form.isChanged}>
            {words('form.save')}
          </Save>
        </Form>
      </Section>
      <Section title={words('profile.shown')}>
        <div className={styles.card}>
          <Face name={name} picture={user.avatarUrl} />
          <div>
            <p className="strong">
              <bdi>{name}</bdi>
            </p>
            {values.pronunciation !== '' && (
              <p>
                <Spoken of={values.pronunciation} />
              </p>
            )}
            <p className="muted">
              <bdi>{values.pronouns}</bdi>
            </p>
            <p className={styles.text} dir="auto">
              {values.description}
            </p>
            <p className="muted small">
              <bdi>{[values.headset, values.controllers, values.grip].filter((text) => text !== '').join(', ')}</bdi>
            </p>
          </div>
        </div>
        <Avatar user={user} />
        <FromChat />
        <p className={styles.links}>
          <Link to="/u/$user" params={{ user: user.guid }}>
            {words('profile.public')}
          </Link>
        </p>
      </Section>
    </div>
  )
}

/** Name and picture as they are in the chat now. */
function FromChat() {
  const copy = useWrite('PUT /updateUser', (known) => known.renew('/users/'))
  return (
    <>
      <p className="btns">
        <button
          type="button"
          className="btn"
          aria-disabled={copy.isSending}
          onClick={() => void copy.send({ params: {} })}
        >
          {words('profile.from-chat')}
        </button>
        <span className="small muted">{words('profile.from-chat-hint')}</span>
      </p>
      {copy.error && (
        <Failure error={copy.error} again={() => void copy.send({ params: {} })} isTrying={copy.isSending} />
      )}
    </>
  )
}
