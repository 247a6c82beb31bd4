declare module 'virtual:words' {
  import type { CompiledMessage } from '@lingui/message-utils/compileMessage'
  export const messages: Readonly<Record<string, CompiledMessage>>
}
declare module '*.css'
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  export default classes
}
