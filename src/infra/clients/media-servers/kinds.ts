import { withoutSlash } from './hooks.ts'
import { mediamtx } from './mediamtx.ts'
import { nginxRtmp } from './nginx-rtmp.ts'
import { ovenmediaengine } from './ovenmediaengine.ts'
import { srs } from './srs.ts'
import type { MediaServerKind, ServerKind } from './types.ts'

/** A server that its owners have written: it asks at `/streaming/validate`, and cannot be controlled. */
const generic: MediaServerKind = {
  hooks: null,
  control: null,
  takesNewer: true,
  encoderFields: ({ url }, _userGuid, key) => ({ serverField: withoutSlash(url), keyField: key }),
}

export const mediaServerKinds: Readonly<Record<ServerKind, MediaServerKind>> = {
  mediamtx,
  ovenmediaengine,
  srs,
  'nginx-rtmp': nginxRtmp,
  generic,
}
