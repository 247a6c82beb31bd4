import path from 'node:path'
import { defineConfig } from 'vite'

/** The pages of the website; as yet, the browser source of overlays alone. (OV20) */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  publicDir: false,
  logLevel: 'warn',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The oldest browser that broadcasting programs in use have in them.
    target: 'chrome103',
    cssTarget: 'chrome103',
    modulePreload: { polyfill: false },
    // The pages' policy lets nothing through that stands in a page itself.
    assetsInlineLimit: 0,
    manifest: true,
    rollupOptions: { input: { overlay: path.join(import.meta.dirname, 'overlay/index.html') } },
  },
})
