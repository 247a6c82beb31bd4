import type { Platform } from '../../data/generated.ts'
import { ownPlatformsAddress } from '../../data/platforms.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Section } from '../../parts/section.tsx'
import { Face } from '../../parts/team.tsx'
import { UploadButton } from '../../parts/upload-button.tsx'
import styles from './manage.module.css'
import { hasConflict, recordAddress } from './reads.ts'

/** What everybody sees of the platform. */

const valuesOf = ({ name, description, imageUrl, websiteUrl }: Platform) => ({
  name,
  description,
  imageUrl,
  websiteUrl: websiteUrl ?? '',
})

export function PlatformRecord({ of }: { readonly of: Platform }) {
  const { contextId, guid } = of
  const at = recordAddress(contextId)
  const form = useForm({ key: `platform-${guid}`, saved: valuesOf(of) })
  const save = useWrite('PUT /tournament-platforms/{platform}', (known, record) => {
    form.take()
    known.put(at, record)
    known.change(ownPlatformsAddress, (all) => all.map((each) => (each.guid === guid ? { ...each, ...record } : each)))
  })
  const submit = async () => {
    if (await hasConflict(form, at, valuesOf)) return
    const { websiteUrl, ...rest } = form.changed
    const body = { ...rest, ...(websiteUrl !== undefined && { websiteUrl: websiteUrl === '' ? null : websiteUrl }) }
    await save.send({ params: { platform: contextId }, body })
  }
  const hasBoth = Object.keys(form.conflicts).length > 0
  return (
    <Section title={words('managing.record')}>
      <Form error={save.error} isChanged={form.isChanged} onSubmit={submit} className={styles.form}>
        <TextField form={form} name="name" label={words('managing.name')} maxLength={100} isRequired />
        <TextField
          form={form}
          name="description"
          label={words('managing.description')}
          hint={words('form.markdown')}
          rows={5}
        />
        <div className={styles.picture}>
          <Face
            name={form.values.name}
            picture={form.values.imageUrl === '' ? null : form.values.imageUrl}
            width={128}
            isTeam
          />
          <TextField
            form={form}
            name="imageUrl"
            type="url"
            label={words('managing.image')}
            hint={words('managing.image-hint')}
          />
          <UploadButton
            label={words('managing.upload')}
            query={{ kind: 'platform_image', platform: contextId }}
            then={({ url }) => form.set('imageUrl', url)}
          />
        </div>
        <TextField form={form} name="websiteUrl" type="url" label={words('managing.website')} />
        <p className="small muted">{words('managing.address', { address: `/p/${contextId}` })}</p>
        <Save
          isSending={save.isSending}
          isSaved={save.isDone && !form.isChanged}
          isDisabled={!form.isChanged || hasBoth}
        >
          {words('managing.save-record')}
        </Save>
      </Form>
    </Section>
  )
}
