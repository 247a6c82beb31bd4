import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import styles from './platforms.module.css'
import { renewPlatforms } from './renew.ts'

const empty = { contextId: '', name: '', description: '', imageUrl: '', websiteUrl: '' }

/** Makes a platform. Its team and webhooks are set on its own page. */
export function NewPlatform() {
  const form = useForm({ key: 'new-platform', saved: empty })
  const create = useWrite('POST /admin/tournament-platforms', (known) => {
    renewPlatforms(known)
    form.take()
  })
  const submit = () => {
    const { websiteUrl, ...values } = form.values
    return create.send({ params: {}, body: { ...values, websiteUrl: websiteUrl === '' ? null : websiteUrl } })
  }
  return (
    <Form error={create.error} isChanged={form.isChanged} onSubmit={submit} className={styles.form ?? ''}>
      <TextField form={form} name="name" label={words('platforms.name')} isRequired maxLength={100} />
      <TextField
        form={form}
        name="contextId"
        label={words('platforms.id')}
        hint={words('platforms.id-hint')}
        isRequired
        maxLength={32}
      />
      <TextField
        form={form}
        name="description"
        label={words('platforms.description')}
        hint={words('form.markdown')}
        rows={4}
        isRequired
        maxLength={10_000}
      />
      <TextField form={form} name="imageUrl" label={words('platforms.image')} type="url" maxLength={2_000} />
      <TextField form={form} name="websiteUrl" label={words('platforms.website')} type="url" maxLength={2_000} />
      <p className="small muted">{words('platforms.new-hint')}</p>
      <Save isSending={create.isSending} isSaved={create.isDone && !form.isChanged}>
        {words('platforms.create')}
      </Save>
    </Form>
  )
}
