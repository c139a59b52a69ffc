import * as THREE from 'three';

/** Points of a line or of triangles, in the same memory where their number stays. */
export function setPoints(geometry: THREE.BufferGeometry, points: readonly THREE.Vector3[]): void {
  const known = geometry.getAttribute('position') as THREE.BufferAttribute | undefined;
  if (known?.count === points.length) {
    points.forEach((point, i) => known.setXYZ(i, point.x, point.y, point.z));
    known.needsUpdate = true;
    return;
  }
  geometry.dispose();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(points.flatMap((point) => point.toArray()), 3));
}
