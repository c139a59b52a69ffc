/** The module in base64; written when the package is built. */
export declare const moduleText: string;
