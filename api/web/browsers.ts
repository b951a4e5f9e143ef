/**
 * The oldest browsers that the pages run in, as targets of esbuild. It writes newer syntax as theirs, and adds no missing
 * function: `client/tsconfig.json` refuses those newer than its `lib`, `test/web/browsers.test.ts` those of the web.
 */
export const browserTargets = ['es2022', 'chrome109', 'firefox115', 'safari16.4']
