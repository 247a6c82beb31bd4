import { words } from '../../data/words.ts'
import { Meanwhile } from '../../parts/form/fields.tsx'
import type { FormState } from '../../parts/form/use-form.ts'
import { UploadButton } from '../../parts/upload-button.tsx'
import styles from './awards.module.css'
import type { Values } from './edition-values.ts'

const maxMegabytes = 8

/** The banner of an edition: uploaded, replaced or removed here. It counts once the form is saved. */
export function BannerField({ form }: { readonly form: FormState<Values> }) {
  const { bannerUrl } = form.values
  const isOwn = bannerUrl.endsWith('/full.webp')
  return (
    <fieldset className={styles.banner}>
      <legend className="strong">{words('admin-awards.banner')}</legend>
      {isOwn && <img src={bannerUrl} alt={words('admin-awards.banner-of')} width="1024" height="136" />}
      {bannerUrl !== '' && !isOwn && (
        <p className="muted">
          {words('admin-awards.banner-elsewhere')} <bdi className="code">{bannerUrl}</bdi>
        </p>
      )}
      <div className="btns">
        <UploadButton
          label={words(bannerUrl === '' ? 'admin-awards.banner-upload' : 'admin-awards.banner-other')}
          query={{ kind: 'award_image' }}
          then={({ url }) => form.set('bannerUrl', url)}
        />
        {bannerUrl !== '' && (
          <button type="button" className="btn btn-quiet" onClick={() => form.set('bannerUrl', '')}>
            {words('admin-awards.banner-remove')}
          </button>
        )}
      </div>
      <p className="small muted">{words('admin-awards.banner-hint', { megabytes: maxMegabytes })}</p>
      <Meanwhile form={form} name="bannerUrl" />
    </fieldset>
  )
}
