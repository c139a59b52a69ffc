// Shapes that bodies are put together from.
var Shosa = Shosa || {};

(function () {
  /// A limb along y from 0 to `length`, round at both ends; half-widths near, far, and of the bulge between.
  Shosa.limbShape = function (length, near, far, bulge) {
    const points = [];
    for (let i = 0; i <= 6; ++i) {
      const a = (i / 6) * Math.PI / 2;
      points.push(new THREE.Vector2(Math.max(near * Math.sin(a), 1e-4), -near * Math.cos(a)));
    }
    points.push(new THREE.Vector2(Math.max(bulge, 0.6 * (near + far)), 0.32 * length));
    points.push(new THREE.Vector2(0.5 * (far + Math.max(bulge, 0.5 * (near + far))), 0.62 * length));
    for (let i = 0; i <= 6; ++i) {
      const a = (i / 6) * Math.PI / 2;
      points.push(new THREE.Vector2(Math.max(far * Math.cos(a), 1e-4), length + far * Math.sin(a)));
    }
    const curve = new THREE.SplineCurve(points);
    const smooth = curve.getPoints(28).map((p) => new THREE.Vector2(Math.max(p.x, 1e-4), p.y));
    return new THREE.LatheBufferGeometry(smooth, 20);
  };

  /// A piece of the trunk along y: an ellipse in section, half-widths near and far, flat rounded ends that reach into the
  /// neighbours so that the trunk bends without gaps. `swell` widens the middle.
  Shosa.trunkShape = function (length, near, far, depth, swell) {
    const points = [];
    const ends = 0.55;
    for (let i = 0; i <= 8; ++i) {
      const a = (i / 8) * Math.PI / 2;
      points.push(new THREE.Vector2(Math.max(near * Math.sin(a), 1e-4), -ends * near * Math.cos(a)));
    }
    for (const share of [0.25, 0.5, 0.75]) {
      points.push(new THREE.Vector2(near + (far - near) * share + swell * Math.sin(Math.PI * share), share * length));
    }
    for (let i = 0; i <= 8; ++i) {
      const a = (i / 8) * Math.PI / 2;
      points.push(new THREE.Vector2(Math.max(far * Math.cos(a), 1e-4), length + ends * far * Math.sin(a)));
    }
    const shape = new THREE.LatheBufferGeometry(new THREE.SplineCurve(points).getPoints(40).map((p) => new THREE.Vector2(Math.max(p.x, 1e-4), p.y)), 32);
    shape.scale(1, 1, depth);
    shape.computeVertexNormals();
    return shape;
  };

  /// A box whose corners are rounded and whose front is lower: a shoe. z forward from -back to front, y from 0 up.
  Shosa.shoeShape = function (back, front, halfWidth, heightBack, heightFront, roundFront) {
    const shape = new THREE.SphereBufferGeometry(1, 24, 16);
    const p = shape.attributes.position;
    const square = (x) => Math.sign(x) * Math.pow(Math.abs(x), 0.55);
    for (let i = 0; i < p.count; ++i) {
      const x = square(p.getX(i)), y = square(p.getY(i)), z = roundFront ? p.getZ(i) : square(p.getZ(i));
      const along = (z + 1) / 2;
      const height = heightBack + (heightFront - heightBack) * along;
      p.setXYZ(i, x * halfWidth, (y + 1) / 2 * height, -back + along * (front + back));
    }
    shape.computeVertexNormals();
    return shape;
  };
})();
